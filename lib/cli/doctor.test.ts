import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { codeHostingVariables } from '../../suites/code-hosting/variables.ts'
import { ajv } from '../conformance/ajv.ts'
import schema from '../doctor/doctor.schema.json' with { type: 'json' }
import type { DoctorReport } from '../doctor/doctor-report.ts'
import { findSchemaErrors } from '../reports/schema-errors.ts'
import { isJudged } from '../results/outcome.ts'
import { plumbline, referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
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
  if (report !== undefined) expect(findSchemaErrors(report, ajv.compile(schema))).toEqual([])
  return { status, output, report, errors: context.reported.errors }
}

async function baseUrlOf(service: string): Promise<Environment> {
  const name = `${service}_BASE_URL`
  return { [name]: (await referenceEnvironment())[name] ?? '' }
}

describe('plumbline doctor', () => {
  it('reports the reference server as target if none is configured', async () => {
    const { status, text } = await plumbline(['doctor'])

    expect(status).toBe(0)
    expect(text).toContain(' CODE_HOSTING_BASE_URL')
    expect(text).toMatch(/ ready: .* \d+ of \d+ .*\(exit status 0\) $/)
  })

  it('returns 2 if a run would judge nothing', async () => {
    const { status, report } = await reported(await baseUrlOf('INCIDENT_STATUS'))

    expect(status).toBe(2)
    const others = catalogues.filter(({ service }) => service !== 'incident-status')
    expect(report.unprobed.map(({ service }) => service)).toEqual(others.map((one) => one.service))
    expect(report.requirements.some(({ forecast }) => forecast === 'judged')).toBe(false)
    expect(report.nextSteps.flatMap(({ variables }) => variables).toSorted()).toEqual([
      'INCIDENT_STATUS_API_KEY',
      'INCIDENT_STATUS_INCIDENT_ID',
      'INCIDENT_STATUS_UPDATE_BODY',
    ])
    const { nextSteps } = (await reported(await baseUrlOf('CODE_HOSTING'))).report
    const counts = nextSteps.map(({ requirements }) => requirements.length)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })

  describe('--write', () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'written.env')

    it('writes all values except secrets, and the file is equivalent with them', async () => {
      const variant = 'every-category-supplied'
      const environment = { ...(await referenceEnvironment({ variant })), PROBE_RETRIES: '1' }
      const { report, errors } = await reported(environment, { write: path })
      const secrets = secretSettings(environment)
      const written = readFileSync(path, 'utf8')

      expect(statSync(path).mode & 0o777).toBe(0o600)
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
      await expect(reported(environment, { write: path })).rejects.toThrow(path)
    })

    it('writes no header field of a gateway', async () => {
      const withHeaders = join(directory, 'headers.env')
      const PROBE_HEADERS = '{"X-Gateway-Key":"abcd1234","X-Tenant":"eu"}'
      const environment = { ...(await referenceEnvironment()), PROBE_HEADERS }
      await reported(environment, { write: withHeaders })
      const written = readFileSync(withHeaders, 'utf8')
      expect(written).toMatch(/\n#PROBE_HEADERS=\n/)
      expect(written).not.toMatch(/abcd1234|HEADER_X/)
    })

    it('writes a comment that explains each unset variable', async () => {
      const empty = join(directory, 'empty.env')
      await reported({}, { write: empty })
      const written = readFileSync(empty, 'utf8')

      expect(parse(written)).toEqual({})
      for (const { name } of variables) expect(written).toMatch(new RegExp(`\n#${name}=`))
      const { meaning } = codeHostingVariables.table.admin.username
      expect(written.replaceAll('\n# ', ' ')).toContain(meaning)
    })
  })

  // Needs of data, and tokens that a run leaks; prove shows the needs that variables meet.
  const leaks = { CODE_HOSTING_TOKEN_DELETE_PATH: '' }
  it.each<[string, string?, Environment?]>([
    ['with requests in every scope category', 'every-category-supplied', leaks],
    ['with exactly one page of repositories', 'as-many-repositories-as-the-maximum'],
    ['with a list longer than may be read', undefined, { PROBE_MAX_PAGES: '2' }],
  ])(
    'forecasts the verdicts of a run, and warns if it leaks tokens, against a server %s',
    async (_name, variant, variables = {}) => {
      const environment = { ...(await referenceEnvironment({ variant })), ...variables }
      const service = ['code-hosting']
      const context = { ...createNestedContext(temporaryDirectory()), environment }
      const { report } = await diagnose({ service }, context)
      const { report: whole } = await enclosedRun(environment, { service })
      const { results, leakedResources: leaked } = whole

      const forecast = report.requirements.filter(({ forecast }) => forecast === 'judged')
      const done = results.filter(({ verdict }) => isJudged(verdict))
      expect(forecast.map(({ requirement }) => requirement)).toEqual(
        done.map(({ requirement }) => requirement),
      )
      if (variables.CODE_HOSTING_TOKEN_DELETE_PATH === undefined) expect(leaked).toEqual([])
      const warnings = report.findings.filter(({ text }) => text.includes('_TOKEN_DELETE_PATH'))
      expect(warnings).toHaveLength(leaked.length > 0 ? 1 : 0)
    },
  )
})
