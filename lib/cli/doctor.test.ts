import { describe, expect, it } from 'vitest'
import type { DoctorReport } from '../doctor/doctor-report.ts'
import { startReference } from '../reference/index.ts'
import { atTheEnd, plumbline, temporaryDirectory } from './command.fixture.ts'
import { enclosedContext, UsageError } from './context.ts'
import { doctor } from './doctor.ts'

type Environment = Record<string, string>

async function told(
  environment: Environment,
  options: Partial<Parameters<typeof doctor>[0]> = {},
): Promise<{ status: number; output: string; report: DoctorReport }> {
  const context = enclosedContext(temporaryDirectory())
  const status = await doctor({ format: 'json', ...options }, { ...context, environment })
  const { output } = context.told
  const isJson = options.format === undefined
  return { status, output, report: isJson ? JSON.parse(output) : undefined }
}

async function reference(): Promise<Environment> {
  const running = await startReference()
  atTheEnd(() => running.close())
  return running.environment
}

async function baseUrls(...services: string[]): Promise<Environment> {
  const environment = await reference()
  const names = services.map((service) => `${service}_BASE_URL`)
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']))
}

describe('plumbline doctor', () => {
  it('says where nothing is configured that our own deployment would be probed', async () => {
    const { status, output, text } = await plumbline(['doctor'])

    expect(status).toBe(0)
    expect(output).toContain('No deployment is configured')
    expect(text).toMatch(/Set CODE_HOSTING_BASE_URL, and a run probes your code-hosting service/)
    expect(text).toMatch(/ready: a run would judge \d+ of \d+ requirements .* none of yours/)
  })

  it('counts for services without a base URL what the table counts with everything set', async () => {
    const embedded = await told({})
    const { report } = await told(await baseUrls('INCIDENT_STATUS'))

    expect(embedded.status).toBe(0)
    expect(Object.values(embedded.report.target)).toEqual(
      Array(3).fill(expect.objectContaining({ embedded: true, answers: true })),
    )
    for (const { service, judged, requirements } of embedded.report.unprobed) {
      const own = embedded.report.requirements.filter(({ requirement }) =>
        requirement.startsWith(`${service}/`),
      )
      expect(own).toHaveLength(requirements)
      expect(own.filter(({ outlook }) => outlook === 'judged')).toHaveLength(judged)
    }
    expect(report.unprobed).toEqual(embedded.report.unprobed.slice(0, 2))
  })

  it('has nothing to say against the embedded deployment with everything set', async () => {
    const { status, report } = await told(await reference())

    expect(status).toBe(0)
    expect(new Set(report.findings.map(({ kind }) => kind))).toEqual(new Set(['good', 'untold']))
    expect(report.nextSteps).toEqual([])
    expect(report.unprobed).toEqual([])
  })

  it('ends with what is wrong, in a few lines, where nobody answers', async () => {
    const environment = { CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1', PROBE_RETRIES: '0' }
    const { status, output } = await told(environment, { format: 'text' })
    const { report } = await told(environment)
    const lines = output.trimEnd().split('\n')

    expect(status).toBe(3)
    expect(lines.length).toBeLessThan(12)
    expect(lines.at(-1)).toBe('not ready: 1 problem to mend (exit status 3)')
    expect(output).toMatch(/Problems \(1\)\n.*http:\/\/127.0.0.1:1 cannot be reached/)
    expect(report.target.codeHosting?.answers).toBe(false)
    expect(report.requirements).toEqual([])
  })

  it('says on a terminal at what it looks, as a silent server takes its time', async () => {
    const context = enclosedContext(temporaryDirectory())
    const errors = { ...context.errors, isTTY: true }
    const environment = {
      CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1/forge',
      INCIDENT_STATUS_BASE_URL: 'http://127.0.0.1:1/status',
      PROBE_RETRIES: '0',
    }
    await doctor({ format: 'text', service: ['code-hosting'] }, { ...context, environment, errors })

    expect(context.told.errors).toBe('Looking at http://127.0.0.1:1/forge …\n')
  })

  it('foretells what a run would do with the services that answer', async () => {
    const environment = {
      ...(await reference()),
      CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1',
      PROBE_RETRIES: '0',
    }
    const { status, report } = await told(environment)

    expect(status).toBe(3)
    expect(
      new Set(report.requirements.map(({ requirement }) => requirement.split('/')[0])),
    ).toEqual(new Set(['event-publishing', 'incident-status']))
  })

  it('leads a newcomer with nothing but a base URL to more', async () => {
    const { status, report } = await told(await baseUrls('CODE_HOSTING'))
    const [first, ...others] = report.nextSteps

    expect(status).toBe(0)
    expect(report.requests).toBeLessThan(10)
    expect(first?.variables).toEqual(['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'])
    expect(first?.texts).toEqual([expect.stringMatching(/^Set the main account: an ordinary user/)])
    expect(first?.adds.length).toBeGreaterThan(40)
    expect(others.map(({ variables }) => variables[0])).toContain('CODE_HOSTING_PRIVATE_REPOSITORY')
    expect(report.unprobed.map(({ variable }) => variable)).toEqual([
      'EVENT_PUBLISHING_BASE_URL',
      'INCIDENT_STATUS_BASE_URL',
    ])
    const added = report.nextSteps.flatMap(({ adds }) => adds)
    const skipped = report.requirements.filter(({ outlook }) => outlook === 'skipped')
    expect(added.toSorted()).toEqual(skipped.map(({ requirement }) => requirement).toSorted())
  })

  it('ends with status 2 where a run would judge nothing', async () => {
    const { status, report } = await told(await baseUrls('INCIDENT_STATUS'))

    expect(status).toBe(2)
    expect(report.findings.filter(({ kind }) => kind === 'target')).toEqual([])
    expect(report.requirements.some(({ outlook }) => outlook === 'judged')).toBe(false)
    expect(report.nextSteps.flatMap(({ variables }) => variables).toSorted()).toEqual([
      'INCIDENT_STATUS_API_KEY',
      'INCIDENT_STATUS_INCIDENT_ID',
      'INCIDENT_STATUS_UPDATE_BODY',
    ])
  })

  it('ends with status 3 where a password is refused, and shows no secret', async () => {
    const environment = { ...(await reference()), CODE_HOSTING_PASSWORD: 'some-wrong-password' }
    const { status, output } = await told(environment, { format: 'text' })

    expect(status).toBe(3)
    expect(output).toMatch(/Problems \(1\)\n.*The main account maria was refused with 401/)
    const secrets = Object.entries(environment).filter(([name]) =>
      /_(PASSWORD|SECRET|API_KEY)$/.test(name),
    )
    for (const [, value] of secrets) expect(output).not.toContain(value)
  })

  it('looks at the chosen services alone', async () => {
    const { report } = await told(await reference(), { service: ['event-publishing'] })

    expect(Object.keys(report.target)).toEqual(['eventPublishing'])
    expect(new Set(report.findings.map(({ service }) => service))).toEqual(
      new Set(['event-publishing']),
    )
    expect(report.unprobed).toEqual([])
  })

  it('tells of a wrong configuration before anything is sent', async () => {
    await expect(told({ CODE_HOSTING_BASEURL: 'http://127.0.0.1:9' })).rejects.toThrow(UsageError)
    await expect(told({ PROBE_CONCURRENCY: '0' })).rejects.toThrow(/PROBE_CONCURRENCY/)
  })
})
