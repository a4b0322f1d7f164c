import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import {
  type CommandOutcome,
  filesOf,
  onErrorOutput,
  plumbline,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { type Canary, formsOf, startEchoServer } from './echo-server.fixture.ts'
import { enclosedCommand, enclosedRun } from './enclosed-run.fixture.ts'
import { variables } from './services.ts'

/** Length of a leaked part of a secret; a service itself shows eight characters of a token. */
const PIECE = 12

const MIN_FRAGMENT_CHARS = 6

/** Returns fragments of the forms that identify a canary, by length. */
function identifyingFragments(canaries: readonly Canary[]): Map<number, Map<string, string>> {
  const byLength = new Map<number, Map<string, string>>()
  for (const canary of canaries) {
    for (const { label, core } of formsOf(canary)) {
      const length = Math.min(PIECE, core.length)
      expect(length, label).toBeGreaterThanOrEqual(MIN_FRAGMENT_CHARS)
      const pieces = byLength.get(length) ?? new Map<string, string>()
      byLength.set(length, pieces)
      for (let at = 0; at + length <= core.length; at += 1) {
        pieces.set(core.slice(at, at + length), `${canary.name} ${label}`)
      }
    }
  }
  return byLength
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([name, item]) => [name, ...leaves(item)])
}

const xml = new XMLParser({ ignoreAttributes: false, htmlEntities: true })

/** Returns a file as it is, and as a reader sees it. */
function viewsOf(name: string, content: string): string[] {
  if (/\.(json|har)$/.test(name)) return [content, leaves(JSON.parse(content)).join('\n')]
  if (name.endsWith('.xml')) return [content, leaves(xml.parse(content)).join('\n')]
  return [content]
}

function everythingIn(directory: string): Map<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }): [string, string] => [
      name,
      readFileSync(join(parentPath, name), 'utf8'),
    ])
  return new Map(files)
}

/** Returns every file that the command wrote, and its output. */
function everythingOf({ directory, output, errors }: CommandOutcome): Map<string, string> {
  return new Map([...everythingIn(directory), ['output', output], ['errors', errors]])
}

const PREFIX_HASHES = 2 ** 22

/** Returns a hash of the first characters of a piece, which rules out most texts. */
function hashPrefix(text: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + MIN_FRAGMENT_CHARS; index += 1) {
    hash = Math.imul(hash, 31) + text.charCodeAt(index) * 7919
  }
  return hash & (PREFIX_HASHES - 1)
}

/** Returns the canaries that are visible, and their places. */
function leaksOf(everything: ReadonlyMap<string, string>, canaries: readonly Canary[]): string[] {
  const leaks = new Set<string>()
  const views = [...everything].flatMap(([name, content]) =>
    viewsOf(name, content).map((view) => ({ name, view })),
  )
  const fragments = identifyingFragments(canaries)
  const prefixes = new Uint8Array(PREFIX_HASHES)
  for (const pieces of fragments.values()) {
    for (const piece of pieces.keys()) prefixes[hashPrefix(piece, 0)] = 1
  }
  for (const { name, view } of views) {
    for (let at = 0; at < view.length; at += 1) {
      if (prefixes[hashPrefix(view, at)] === 0) continue
      for (const [length, pieces] of fragments) {
        const piece = view.slice(at, at + length)
        const canary = pieces.get(piece)
        if (canary !== undefined) leaks.add(`${canary} in ${name}: ${piece}`)
      }
    }
  }
  return [...leaks]
}

/** Returns the names that replace secrets in bodies, by form. */
function placeholders({ exchanges }: CommandOutcome): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { response } of exchanges) {
    // The text of a form ends at the next label.
    const echoes = (response?.body ?? '').matchAll(
      /"((?:as|in|decomposed)\b[^"]*)":("(?:[^"\\]|\\.)*")/g,
    )
    for (const [, label = '', text = ''] of echoes) {
      const found = text.match(/\$[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/g) ?? ['nothing']
      names.set(label, new Set([...(names.get(label) ?? []), ...found]))
    }
  }
  return names
}

/** Runs against the server, and expects no secret anywhere. */
async function expectSilence(
  echo: Awaited<ReturnType<typeof startEchoServer>>,
  environment: Record<string, string> = {},
  run = (variables: Record<string, string>) => enclosedRun(variables, { har: true }),
): Promise<CommandOutcome> {
  const outcome = await run({ ...echo.environment, ...environment })
  expect(leaksOf(everythingOf(outcome), echo.canaries)).toEqual([])
  return outcome
}

const token = { name: 'CODE_HOSTING_TOKEN', value: 'a-token/with+"quotes"&more-0123456789' }

it('every variable that is marked secret is a canary', async () => {
  const canaries = [token, ...(await startEchoServer()).canaries].map(({ name }) => name)
  const secrets = variables
    .filter(({ secret }) => secret)
    .map(({ name }) => (name === 'PROBE_HEADERS' ? 'HEADER_X_CANARY' : name))
  expect(secrets.filter((name) => !canaries.includes(name))).toEqual([])
})

describe('no secret is in any file or on the terminal', () => {
  it('when a server repeats all of them in every form, also tokens that it has not issued yet', async () => {
    const echo = await startEchoServer()
    const run = (variables: Record<string, string>) => plumbline(['run', '--har'], variables)
    const outcome = await expectSilence(echo, {}, run)
    const names = placeholders(outcome)

    // It shows tokens that it has issued.
    expect(withVerdict(outcome, 'fail')).toEqual(['code-hosting/tokens/value-shown-once'])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(60)
    expect(echo.canaries.length).toBeGreaterThan(20)
    const forms = echo.canaries.flatMap((one) =>
      formsOf(one).map(({ label, text }) => [`${one.name} ${label}`, text] as const),
    )
    const found = leaksOf(new Map(forms), echo.canaries).join('\n')
    for (const [name] of forms) expect(found, 'it would be found').toContain(` in ${name}: `)
    for (const canary of echo.canaries) {
      for (const { label } of formsOf(canary)) {
        expect([...(names.get(label) ?? [])].join(), label).toMatch(new RegExp(`\\$${canary.name}`))
        expect(names.get(label)).not.toContain('nothing')
      }
    }
  })

  it('when its errors have stack traces, it redirects, and tokens are leaked', async () => {
    const echo = await startEchoServer({ broken: true })
    const directory = temporaryDirectory()
    const summary = join(directory, 'step-summary.md')
    const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
    const environment = { CODE_HOSTING_TOKEN_DELETE_PATH: '', PROBE_RETRIES: '0', ...job }
    const requirement = ['*/authentication/[bq]*', '*/publish/*', '*/tokens/duplicate-name']
    const run = (variables: Record<string, string>) => enclosedRun(variables, { requirement })
    const outcome = await expectSilence(echo, environment, run)
    const bodies = outcome.exchanges.map(({ response }) => response?.body ?? '')
    const traces = bodies.filter((body) => body.startsWith('Error: cannot handle $'))
    const redirects = outcome.reportText.match(/login\?next=%2F%3Ftoken%3D\$[A-Z_]+/g)

    expect(outcome.status).toBe(1)
    expect(traces.length).toBeGreaterThan(5)
    expect(redirects?.length).toBeGreaterThan(0)
    expect(outcome.output).toContain('Error: cannot handle $EVENT_PUBLISHING_API_KEY')
    expect(filesOf(outcome)).toContainEqual(expect.stringMatching(/^ledger-/))
    expect(readFileSync(summary, 'utf8')).toContain('$EVENT_PUBLISHING_API_KEY')
    expect(leaksOf(everythingIn(directory), echo.canaries)).toEqual([])
  })

  it('when the run is interrupted', async () => {
    const echo = await startEchoServer()
    const outcome = await expectSilence(echo, {}, (variables) =>
      plumbline(['run'], variables, (child) =>
        onErrorOutput(child, '[  ', () => child.kill('SIGINT')),
      ),
    )

    expect(outcome.report.run.interrupted).toBe(true)
    expect(outcome.reportText).toContain('$CODE_HOSTING_PASSWORD')
  })

  it('when its links repeat the query of the request', async () => {
    const outcome = await enclosedRun(
      {},
      { variant: 'request-repeated', requirement: ['*/pagination/link-targets'] },
    )
    const shown = [...everythingOf(outcome).values()].join('\n')
    expect(shown).toMatch(/[?&]token=\$[A-Z_]+/)
    // A value that the service issued.
    expect(shown.match(/\b(?:access_)?token=[\da-f]{12,}/g)).toBeNull()
  })

  it('when it is rejected, sent through a proxy with a password, or repeated in JSON', async () => {
    const echo = await startEchoServer()
    const wrong = { name: 'CODE_HOSTING_PASSWORD', value: 'wröng "password" & more/less' }
    echo.canaries.push(wrong)
    const proxy = { name: 'HTTP_PROXY', value: 'pröxy pass/word' }
    const key = { name: 'INCIDENT_STATUS_API_KEY', value: 'a-key/with+more&0123456789-abcdef' }
    const environment = {
      ...echo.environment,
      CODE_HOSTING_PASSWORD: wrong.value,
      INCIDENT_STATUS_BASE_URL: 'http://status.invalid',
      INCIDENT_STATUS_API_KEY: key.value,
      INCIDENT_STATUS_UPDATE_BODY: JSON.stringify({ key: key.value }).replaceAll('/', '\\/'),
      HTTP_PROXY: `http://maria:${encodeURIComponent(proxy.value)}@127.0.0.1:9`,
      NO_PROXY: '127.0.0.1',
    }
    const requirement = ['*/authentication/[bw]*', '*/tokens/d*', 'incident-status']
    const outcome = await enclosedRun(environment, { requirement })

    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(outcome.text).toMatch(/ CODE_HOSTING_USERNAME .* CODE_HOSTING_PASSWORD/)
    expect(outcome.text).toContain(' http://status.invalid ')
    expect(placeholders(outcome).get('in HTML')).toContain('$CODE_HOSTING_PASSWORD')
    expect(outcome.report.settings).toMatchObject({
      INCIDENT_STATUS_UPDATE_BODY: '{"key":"$INCIDENT_STATUS_API_KEY"}',
    })
    expect(leaksOf(everythingOf(outcome), [...echo.canaries, proxy, key])).toEqual([])
  })

  it.each([
    ['an option', [`--token=${token.value}`], {}],
    ['an argument', [token.value], {}],
    ['a requirement', ['--requirement', token.value], {}],
    ['an environment file', ['--env-file', token.value], {}],
    ['a variable that is unknown', [], { CODE_HOSTING_TOKE: token.value }],
    ['a variable for something else', [], { PROBE_WORDING: token.value }],
    ['a base URL', [], { CODE_HOSTING_BASE_URL: `http://maria:${token.value}@host` }],
    ['a name', [], { [`CODE_HOSTING_${token.value}`]: 'x' }],
  ])('when it is taken for %s', async (_, args, environment: Record<string, string>) => {
    const variables = {
      CODE_HOSTING_BASE_URL: 'http://127.0.0.1:9',
      CODE_HOSTING_TOKEN: token.value,
      ...environment,
    }
    const outcome = await enclosedCommand(['run', ...args], variables)

    expect(outcome.status).toBe(2)
    expect(outcome.errors).not.toBe('')
    expect(leaksOf(everythingOf(outcome), [token])).toEqual([])
  })
})
