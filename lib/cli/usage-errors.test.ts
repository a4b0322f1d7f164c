import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-files.ts'
import { versions } from '../results/requirement.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'
import { baseUrlVariable } from './prepare-run.ts'
import { catalogues, serviceKeys } from './services.ts'

const requirement = 'code-hosting/pagination/limit-lowered'
const report = reportFixture()
const waivers = (...entries: object[]) => JSON.stringify({ waivers: entries })

const files = {
  'reports/report.json': reportJson(report),
  'green/report.json': reportJson({ ...report, results: [resultFixture()] }),
  'copy.json': reportJson(report),
  'page.html': '<!doctype html>\n<body>\n<p>Plumbline</p>',
  'waivers.yaml': 'waivers: []\n',
  'invalid.yaml': waivers({ requirement }),
  'other.json': '{"schema":1}',
  'empty.json': '',
  'typo.env': 'CODEHOSTING_BASE_URL=https://git.example.com\n',
  'wrong.env':
    'CODE_HOSTING_BASE_URL=http://127.0.0.1:1\nCODE_HOSTING_USERNAM=a-secret\n' +
    'CODE_HOSTING_MAX_RESPONSE_ITEMS=a-secret\nPROBE_CONCURRENCY=0\n',
  'server.env': 'CODE_HOSTING_BASE_URL=http://127.0.0.1:1\n',
  'admin.env':
    'CODE_HOSTING_BASE_URL=http://127.0.0.1:1\n' +
    'CODE_HOSTING_ADMIN_USERNAME=ada\nCODE_HOSTING_ADMIN_PASSWORD=her-password\n',
  'read-only.env': 'CODE_HOSTING_BASE_URL=http://127.0.0.1:1\nPROBE_READ_ONLY=true\n',
}

const waive = 'waive --waivers new.yaml --owner Maria'
const provision = 'provision --family gitea --env-file'

/** Command lines; the first group has options or arguments that commander rejects. */
const commandLines = [
  'runn',
  'run nope',
  'doctor --fault=x',
  'compare a',
  'run --variant base-path --variant link-relative',
  'run --no-embedded --fault limit-not-lowered',
  'provision --family nope',
  'provision --family gitea --remove --overwrite',
  'reference --port 1e3',
  ...['0', '101%', '1.5', 'half'].map((share) => `run --min-judged=${share}`),
  ...['0', 'long', '86401'].map((seconds) => `doctor --wait=${seconds}`),
  `${waive} --expires 2999-12-31`,
  'waive --prune --owner Maria',

  'run --fault limit-not-lowerd',
  'run --fault limit-*',
  'run --variant base-path --fault disabled-legacy-accepted',
  'reference --list base-pth',
  'prove --need without-othr',
  'run --requirement limit-lowerd',
  'run --requirement code-hosting/pagination/wallk',
  'run --requirement versioning/prefix',
  'requirements --cases --requirement incident-status/versioning',
  'run --requirement=',
  'run --service nope',
  'run --as-of 0.0.9',
  'run --service code-hosting --no-embedded',

  'run --env-file nope.env',
  'run --env-file typo.env',
  'run --env-file wrong.env',
  'run --reports /dev/null/reports',
  'reference --overwrite',
  'doctor --write page.html',
  'doctor --write none/a.env',
  'run --waivers=',
  'run --waivers gone.yaml',
  'run --waivers pipe',
  'run --waivers invalid.yaml',
  'run --history .',
  'run --history waivers.yaml/h',
  'run --history waivers.yaml',
  'run --metrics invalid.yaml',

  'compare gone.json copy.json',
  'compare empty.json copy.json',
  'history --history gone.ndjson',
  'sweep --reports gone',

  `${waive} --reason r --expires 2999-12-31 code-hosting/resources/user`,
  `${waive} --reason r --expires 2999-12-31 tokens/creatd`,
  `${waive} --reason r --expires 2999-02-30`,
  `${waive} --reason r --expires 2999-12-31 --reports gone`,
  `${waive} --reason r --expires 2999-12-31 --reports green`,
  `waive --waivers other.json --owner Maria --reason r --expires 2999-12-31`,
  'waive --prune --waivers waivers.yaml',

  `${provision} admin.env --prefix Mine`,
  `${provision} server.env --yes`,
  `${provision} admin.env`,
  `${provision} read-only.env --yes`,
]

/** Lists that grow with the services. */
const placeholders: readonly [string | RegExp, string][] = [
  [catalogues.map(({ service }) => service).join(', '), '<services>'],
  [serviceKeys.map(baseUrlVariable).join(', '), '<base URLs>'],
  [versions.join(', '), '<versions>'],
  [/There is without .*\./, 'There is <needs>.'],
]

it('command lines that are wrong are rejected before anything is sent or written', async () => {
  const directory = temporaryDirectory()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  execFileSync('mkfifo', [join(directory, 'pipe')])
  const state = () =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((path) => [path, statSync(join(directory, path)).mtimeMs])
  const before = state()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1) })
  onTestFinished(() => void vi.useRealTimers())
  const texts = []
  for (const line of commandLines) {
    const { status, output, errors } = await enclosedCommand(line.split(' '), {}, directory)
    expect([status, output], line).toEqual([2, ''])
    expect(errors).toMatch(/^plumbline: /)
    expect(errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
    const text = placeholders.reduce((all, [list, name]) => all.replace(list, name), errors)
    texts.push(`$ plumbline ${line}\n${text.replaceAll(directory, '<directory>')}`)
  }
  expect(state()).toEqual(before)
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/usage-errors.txt')
})
