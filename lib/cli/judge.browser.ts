import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TestBrowser } from '../reports/html/report-page.fixture.ts'
import { referenceEnvironment, temporaryDirectory, withVerdict } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

const browser = new TestBrowser()

/** Sends requests as the script of a web page on the server does. */
const session = `(async () => {
  const send = async (path, authorization, options = {}) => {
    const headers = { ...options.headers, ...(authorization && { authorization }) }
    const response = await fetch('/api/v1' + path, { ...options, headers })
    return (await response.text()) && response.status
  }
  const password = 'Basic ' + btoa(USER)
  const creation = await fetch('/api/v1/users/maria/tokens', {
    method: 'POST',
    headers: { authorization: password, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'recorded', scopes: ['all'] }),
  })
  const token = (await creation.json()).sha1
  await send('/user')
  await send('/user', 'Bearer ' + token)
  await send('/user', 'token ' + token)
  for (const page of [1, 2, 3]) await send('/user/repos?limit=10&page=' + page, 'Bearer ' + token)
  await send('/repos/maria/nothing', 'Bearer ' + token)
  return token
})()`

it.each([
  ['that conforms', undefined, []],
  ['with a fault', 'sunset-header-missing', ['code-hosting/authentication/legacy-sunset-header']],
])('plumbline judge judges what Chromium recorded of a server %s', async (_, fault, failing) => {
  const environment = await referenceEnvironment(fault === undefined ? {} : { fault })
  const { CODE_HOSTING_BASE_URL = '', CODE_HOSTING_PASSWORD } = environment
  const directory = temporaryDirectory()
  const path = join(directory, 'traffic.har')
  const { page } = await browser.open(`${CODE_HOSTING_BASE_URL}/api/v1/settings/api`, {
    recordHar: { path },
  })
  const user = JSON.stringify(`maria:${CODE_HOSTING_PASSWORD}`)
  const token = await page.evaluate<string>(session.replace('USER', user))
  // Writes the recording.
  await page.context().close()
  const args = ['judge', 'traffic.har', '--reports', 'reports']
  const outcome = await enclosedCommand(args, { CODE_HOSTING_BASE_URL }, directory)

  expect(withVerdict(outcome, 'fail')).toEqual(failing)
  for (const name of [
    'authentication/bearer',
    'authentication/missing-credentials',
    'pagination/page-header',
    'tokens/value-shown-once',
  ]) {
    expect(withVerdict(outcome, 'pass'), name).toContain(`code-hosting/${name}`)
  }
  expect(outcome.reportText).not.toContain(token)
  rmSync(path)
})
