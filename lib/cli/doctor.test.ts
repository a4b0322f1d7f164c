import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { ajv } from '../conformance/ajv.ts'
import schema from '../doctor/doctor.schema.json' with { type: 'json' }
import type { DoctorReport } from '../doctor/doctor-report.ts'
import { findSchemaErrors } from '../reports/schema-errors.ts'
import { isJudged } from '../results/verdict.ts'
import { plumbline, referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext, UsageError } from './context.ts'
import { diagnose, action as doctor } from './doctor.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues, secretSettings, variables } from './services.ts'

type Environment = Record<string, string>

async function reported(
  environment: Environment,
  options: Partial<Parameters<typeof doctor>[0]> = {},
): Promise<{ status: number; output: string; errors: string; report: DoctorReport }> {
  const context = createNestedContext(temporaryDirectory())
  const status = await doctor({ format: 'json', ...options }, { ...context, environment })
  const { output } = context.reported
  const report = options.format === undefined ? JSON.parse(output) : undefined
  if (report !== undefined) expect(findSchemaErrors(report, ajv.compile(schema), 'it')).toEqual([])
  return { status, output, report, errors: context.reported.errors }
}

async function baseUrlOf(service: string): Promise<Environment> {
  const name = `${service}_BASE_URL`
  return { [name]: (await referenceEnvironment())[name] ?? '' }
}

const nowhere = { CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1', PROBE_RETRIES: '0' }
const serviceOf = ({ requirement }: { requirement: string }) => requirement.split('/')[0]

describe('plumbline doctor', () => {
  it('says where nothing is configured that our own deployment would be probed', async () => {
    const { status, output, text } = await plumbline(['doctor'])

    expect(status).toBe(0)
    expect(output).toContain('No deployment is configured')
    expect(text).toMatch(/Set CODE_HOSTING_BASE_URL, and a run probes your code-hosting service/)
    expect(text).toMatch(/ready: a run would judge \d+ of \d+ requirements .* none of yours/)
  })

  it('counts for services without a base URL what can be tested', async () => {
    const { status, report } = await reported({})
    const other = await reported(await baseUrlOf('INCIDENT_STATUS'))

    expect(status).toBe(0)
    for (const { service, judged, requirements } of report.unprobed) {
      const own = report.requirements.filter((row) => serviceOf(row) === service)
      expect(own).toHaveLength(requirements)
      expect(own.filter(({ untestable }) => !untestable)).toHaveLength(judged)
    }
    const others = report.unprobed.filter(({ service }) => service !== 'incident-status')
    expect(other.report.unprobed).toEqual(others)
  })

  it('ends with what is wrong, in a few lines, where nobody answers', async () => {
    const { status, output } = await reported(nowhere, { format: 'text' })
    const lines = output.trimEnd().split('\n')

    expect(status).toBe(3)
    expect(lines.length).toBeLessThan(12)
    expect(lines.at(-1)).toBe('not ready: 1 problem to mend (exit status 3)')
    expect(output).toMatch(/Problems \(1\)\n.*http:\/\/127.0.0.1:1 cannot be reached/)
  })

  it('foretells what a run would do with the services that answer', async () => {
    const { status, report } = await reported({ ...(await referenceEnvironment()), ...nowhere })
    const others = report.findings.filter(({ service }) => service !== 'code-hosting')

    expect(status).toBe(3)
    const [, ...answering] = catalogues.map(({ service }) => service)
    expect([...new Set(report.requirements.map(serviceOf))]).toEqual(answering)
    expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set(['good', 'untold']))
  })

  it('leads a newcomer with nothing but a base URL to more', async () => {
    const { status, report } = await reported(await baseUrlOf('CODE_HOSTING'))
    const [first, ...others] = report.nextSteps

    expect(status).toBe(0)
    expect(report.requests).toBeLessThan(10)
    expect(first?.variables).toEqual(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'])
    expect(first?.texts).toEqual([expect.stringMatching(/^Set the main account: an ordinary user/)])
    expect(first?.adds.length).toBeGreaterThan(40)
    expect(others.map(({ variables }) => variables[0])).toContain('CODE_HOSTING_PRIVATE_REPOSITORY')
    const added = report.nextSteps.flatMap(({ adds }) => adds)
    const skipped = report.requirements.filter(({ outlook }) => outlook === 'skipped')
    expect(added.toSorted()).toEqual(skipped.map(({ requirement }) => requirement).toSorted())
  })

  it('ends with status 2 where a run would judge nothing', async () => {
    const { status, report } = await reported(await baseUrlOf('INCIDENT_STATUS'))

    expect(status).toBe(2)
    expect(report.requirements.some(({ outlook }) => outlook === 'judged')).toBe(false)
    expect(report.nextSteps.flatMap(({ variables }) => variables).toSorted()).toEqual([
      'INCIDENT_STATUS_API_KEY',
      'INCIDENT_STATUS_INCIDENT_ID',
      'INCIDENT_STATUS_UPDATE_BODY',
    ])
  })

  it('ends with status 3 where a password is refused, and shows no secret', async () => {
    const environment = {
      ...(await referenceEnvironment()),
      CODE_HOSTING_PASSWORD: 'some-wrong-password',
    }
    const { status, output } = await reported(environment, { format: 'text' })

    expect(status).toBe(3)
    expect(output).toMatch(/Problems \(1\)\n.*The main account maria was refused with 401/)
    const secrets = Object.entries(environment).filter(([name]) =>
      /_(PASSWORD|SECRET|API_KEY)$/.test(name),
    )
    for (const [, value] of secrets) expect(output).not.toContain(value)
  })

  describe('--write', () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'written.env')

    it('writes what is set but secrets, and the file says the same with them', async () => {
      const variant = 'every-category-supplied'
      const environment = { ...(await referenceEnvironment({ variant })), PROBE_RETRIES: '1' }
      const { report, errors } = await reported(environment, { write: path })
      const secrets = secretSettings(environment)
      const written = readFileSync(path, 'utf8')

      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(written).not.toContain('waits for it')
      for (const { name, value } of secrets) {
        expect(written).not.toContain(value)
        expect(errors).toContain(name)
      }
      const names = secrets.map(({ name }) => name)
      const kept = Object.entries(environment).filter(([name]) => !names.includes(name))
      expect(parse(written)).toEqual(Object.fromEntries(kept))
      const inProcess = Object.fromEntries(secrets.map(({ name, value }) => [name, value]))
      const again = await reported(inProcess, { envFile: path })
      expect(again.report.requirements).toEqual(report.requirements)
      await expect(reported(environment, { write: path })).rejects.toThrow('is there already')
    })

    it('writes a comment for each variable that is not set, with what to do about it', async () => {
      const empty = join(directory, 'empty.env')
      await reported({}, { write: empty })
      const written = readFileSync(empty, 'utf8')

      expect(parse(written)).toEqual({})
      for (const { name } of variables) expect(written).toMatch(new RegExp(`\n#${name}=`))
      expect(written).toMatch(/# Set a site admin, for sudo\. \d+ requirements wait for it\.\n/)
    })
  })

  it('tells of a wrong configuration before anything is sent', async () => {
    await expect(reported({ CODE_HOSTING_BASEURL: 'http://127.0.0.1:9' })).rejects.toThrow(
      UsageError,
    )
    await expect(reported({ PROBE_CONCURRENCY: '0' })).rejects.toThrow(/PROBE_CONCURRENCY/)
  })

  it.each<[string, RegExp, string?]>([
    ['all that there are', /^$/],
    ['requests in every scope category', /^$/, 'every-category-supplied'],
    ['a request in one scope category', /^$/, 'one-category-supplied'],
    ['no other account than the main one', /_(OTHER|OTP|ADMIN)_/],
    ['no public repository', /_PUBLIC_REPOSITORY/],
  ])('warns first of the tokens that a run leaves, with %s', async (_name, without, variant) => {
    const all = Object.entries(await referenceEnvironment({ variant }))
    const kept = all.filter(([name]) => !without.test(name) && !name.includes('TOKEN_DELETE_PATH'))
    const environment = Object.fromEntries(kept)
    const { report } = await reported(environment)
    const left = (await enclosedRun(environment)).report.leftBehind
    const [warning] = report.findings.filter(({ kind }) => kind === 'warning')

    expect(warning?.text).toContain(`leaves ${left.length} access tokens that stay valid`)
    const owners = new Set(left.map(({ account }) => account))
    expect(warning?.text.match(/(?<= Of )\w+/g)?.toSorted()).toEqual([...owners].toSorted())
    expect(warning?.text.includes('one of them of a site admin')).toBe(owners.has('ada'))
    expect(warning?.text).toContain('; public-only;')
  })

  it.each<[string, Environment]>([
    ['it can delete them', {}],
    ['it makes none', { CODE_HOSTING_TOKEN_DELETE_PATH: '', PROBE_READ_ONLY: 'true' }],
  ])('does not warn of tokens where %s', async (_name, variables) => {
    const { report } = await reported({ ...(await referenceEnvironment()), ...variables })
    expect(report.findings.filter(({ kind }) => kind === 'warning')).toEqual([])
  })

  // Needs of data, which no variable meets: prove shows those that variables meet.
  it.each<[string, string?, Environment?]>([
    ['as it is'],
    ['without repositories', 'no-repositories'],
    ['with as many repositories as a page holds', 'as-many-repositories-as-the-maximum'],
    ['without X-Total-Count', 'no-total-count'],
    ['with a list longer than may be read', undefined, { PROBE_MAX_PAGES: '2' }],
  ])('foretells what a run judges of a deployment %s', async (_name, variant, variables = {}) => {
    const environment = { ...(await referenceEnvironment({ variant })), ...variables }
    const context = { ...createNestedContext(temporaryDirectory()), environment }
    const { requirements } = (await diagnose({}, context)).report
    const { report } = await enclosedRun(environment)

    const foretold = requirements.filter(({ outlook }) => outlook === 'judged')
    const done = report.results.filter(({ verdict }) => isJudged(verdict))
    expect(foretold.map(({ requirement }) => requirement)).toEqual(
      done.map(({ requirement }) => requirement),
    )
  })
})
