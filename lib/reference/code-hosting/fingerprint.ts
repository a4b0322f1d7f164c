import { Secret, TOTP } from 'otpauth'
import { type Answer, type RequestParts, written } from '../test-client.ts'
import type { AccountRole, TestClient } from './test-client.ts'

const user = '/api/v1/user'
const list = '/api/v1/user/repos'
const open = '/api/v1/repos/maria/lighthouse'
const hidden = '/api/v1/repos/maria/diary'
/** Requests that read, as path, `Authorization` and other headers. */
async function reads(client: TestClient): Promise<[string, string?, Record<string, string>?][]> {
  const bearer = async (...scopes: string[]) => `Bearer ${await client.token('', ...scopes)}`
  const token = await client.token('', 'all')
  const all = `Bearer ${token}`
  const other = `Bearer ${await client.token('OTHER_', 'all')}`
  const restricted = await bearer('read:user', 'read:repository', 'public-only')
  const limited = [
    await bearer('read:issue', 'write:package'),
    await bearer('write:user', 'write:repository'),
    await bearer('public-only'),
  ]
  const admin = client.basic('ADMIN_')
  const queries = ['limit=0', 'limit=-1', 'limit=1000', 'limit=2&page=2', 'limit=25&page=3']
  return [
    ['/api/swagger'],
    ['/api/v1/settings/api'],
    ...[user, list, open].map((path): [string] => [path]),
    [user, 'Bearer nothing'],
    [user, client.basic('', 'wrong')],
    [user, client.basic('')],
    [user, all],
    [user, `bearer ${token}`],
    [user, `token ${token}`],
    [user, `TOKEN ${token}`],
    [`${user}?token=${token}`],
    [`${user}?access_token=${token}`],
    [user, admin, { Sudo: 'oscar' }],
    [`${user}?sudo=oscar`, admin],
    [user, all, { Sudo: 'oscar' }],
    ...limited.flatMap((value) =>
      [user, list, open].map((path): [string, string] => [path, value]),
    ),
    ...[open, hidden, `${list}?page=2`].map((path): [string, string] => [path, restricted]),
    [hidden, other],
    [open, all],
    ['/api/v1/repos/maria/nothing', all],
    [list, admin],
    ...[...queries, 'page=0', 'page=4'].map((query): [string, string] => [`${list}?${query}`, all]),
  ]
}

/** Token creations, in an order that matters. */
function creations(client: TestClient): [AccountRole, unknown, Record<string, string>?][] {
  const secret = Secret.fromBase32(client.variable('OTP_SECRET'))
  const code = (aheadMs: number) => ({
    'X-Service-OTP': new TOTP({ secret }).generate({ timestamp: Date.now() + aheadMs }),
  })
  const named = (name: string, ...scopes: string[]) => ({ name, scopes })
  return [
    ['', named('one', 'all')],
    ['', named('one', 'all')],
    ['OTHER_', named('one', 'all')],
    ['', { scopes: [] }],
    ['', '{'],
    ['', named('unknown', 'read:moon')],
    ['', named('restricted', 'public-only')],
    ['', named('admin', 'read:admin')],
    ['', named('documented', 'read:activitypub')],
    ['OTP_', named('without', 'all')],
    ['OTP_', named('wrong', 'all'), code(600_000)],
    ['OTP_', named('right', 'all'), code(0)],
    ['OTP_', named('again', 'all'), code(0)],
  ]
}

/**
 * All that the deployment answers to requests which show every rule, with what differs between two
 * starts taken out: addresses, token values and dates.
 */
export async function fingerprint(client: TestClient): Promise<readonly string[]> {
  const answers: Answer[] = []
  const ask = async (path: string, parts: RequestParts): Promise<void> => {
    answers.push(await client.send(path, parts))
  }
  for (const [path, authorization, headers = {}] of await reads(client)) {
    await ask(path, authorization === undefined ? { headers } : { headers, authorization })
  }
  for (const [role, body, headers] of creations(client)) {
    answers.push(await client.createToken(role, body, headers))
  }
  const token = await client.token('', 'all')
  const body = { name: 'by token', scopes: ['all'] }
  const authorization = `Bearer ${token}`
  await ask('/api/v1/users/maria/tokens', { method: 'POST', authorization, body })
  for (const name of ['ARCHIVED_CHANGE', 'CONFLICT', 'NO_CONTENT']) {
    answers.push(await client.supplied(client.variable(name), token))
  }
  const values = new RegExp(`${client.reference.origin}|[0-9a-f]{40}`, 'g')
  const ends = /("token_last_eight":)"(\w+)"/
  return answers.map((answer) => {
    const { sha1 = '' } = Object(answer.json)
    return written(answer, values).replace(
      ends,
      (_all, key, end) => `${key}${String(sha1).endsWith(end)}`,
    )
  })
}
