import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import {
  atTheEnd,
  COMMAND,
  referenceEnvironment,
  temporaryDirectory,
} from '../../lib/cli/command.fixture.ts'
import { pageTags, pageText, references } from '../../lib/reports/html/page-tags.fixture.ts'
import { readWaivers } from '../../lib/runs/waivers/waivers-file.ts'
import { template } from './template.fixture.ts'

interface Pod {
  containers: { securityContext: object; env?: { name: string }[] }[]
  volumes: { configMap?: { name: string } }[]
}

interface Manifest {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: { jobTemplate: { spec: { template: { spec: Pod } } } }
}

const podOf = (job: Manifest) => job.spec.jobTemplate.spec.template.spec

describe.each<[string, { jobs: number; variables: string[]; waivers: string[] }]>([
  [
    'kubernetes.yaml',
    { jobs: 2, variables: ['MIN_JUDGED', 'PING_URL'], waivers: ['waivers.yaml'] },
  ],
  ['kubernetes-fleet.yaml', { jobs: 1, variables: ['MIN_JUDGED'], waivers: ['staging.yaml'] }],
])('the manifests of %s', (file, expected) => {
  const manifests = parseAllDocuments(template(file)).map((one): Manifest => one.toJS())
  const jobs = manifests.filter(({ kind }) => kind === 'CronJob')
  const maps = manifests.filter(({ kind }) => kind === 'ConfigMap')

  it('give a job no rights, and nothing to write to except its volumes', () => {
    expect([jobs.length, maps.length]).toEqual([expected.jobs, 1])
    for (const job of jobs) {
      expect(podOf(job)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      })
      for (const { securityContext, env } of podOf(job).containers) {
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        })
        if (env !== undefined) {
          expect(env.map(({ name }) => name)).toEqual(expected.variables)
        }
      }
    }
  })

  it('list the deviations of a deployment as Plumbline reads them', () => {
    const volumes = jobs.flatMap((job) => podOf(job).volumes)
    const mounted = volumes.flatMap(({ configMap }) => configMap?.name ?? [])
    expect(maps.map(({ metadata }) => metadata.name)).toEqual(mounted)
    const files = maps.flatMap(({ data = {} }) => Object.entries(data))
    expect(files.map(([name]) => name)).toEqual(expected.waivers)
    for (const [name, content] of files) expect(readWaivers(content, name)).toEqual([])
  })
})

const PING = fileURLToPath(new URL('ping.js', import.meta.url))

const manifests = parseAllDocuments(template('kubernetes-fleet.yaml')).map((document) =>
  document.toJS(),
)
const job = manifests.find(({ kind }) => kind === 'CronJob').spec.jobTemplate.spec
const [container] = job.template.spec.containers

it('the pods probe every deployment, even if others fail', () => {
  expect(job).toMatchObject({ completionMode: 'Indexed', backoffLimitPerIndex: 0 })
  // These would end the pods of the other deployments.
  expect(job).not.toHaveProperty('backoffLimit')
  expect(job).not.toHaveProperty('activeDeadlineSeconds')
  expect(container.env).toEqual([{ name: 'MIN_JUDGED', value: '50%' }])
})

/** A copy of the volumes, with an environment file for each deployment. */
function volumesOf(deployments: Record<string, Record<string, string>>): string {
  const directory = temporaryDirectory()
  for (const name of ['fleet', 'known', 'reports']) mkdirSync(join(directory, name))
  for (const [name, variables] of Object.entries(deployments)) {
    const lines = Object.entries(variables).map(([variable, value]) => `${variable}='${value}'\n`)
    writeFileSync(join(directory, 'fleet', `${name}.env`), lines.join(''))
  }
  return directory
}

/** Starts a dead man's switch that lists the paths of its requests, and returns its address. */
async function startSwitch(paths: (string | undefined)[]): Promise<string> {
  const server = createHttpServer(({ url }, response) => {
    paths.push(url)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** Runs the command of the pod at an index, with the paths of the volumes. */
function startPod(index: number, directory: string) {
  const words = [...container.command, ...container.args].map((word: string) =>
    word
      .replaceAll('/opt/plumbline/node_modules/plumbline/lib/cli/plumbline.js', COMMAND)
      .replaceAll('/opt/plumbline/node_modules/plumbline/config/schedules/ping.js', PING)
      .replaceAll(/\/etc\/plumbline(?=\/)/g, directory)
      .replaceAll(/(?<=[" ])\/reports(?=\/)/g, `${directory}/reports`),
  )
  const [program = '', ...args] = words
  const env = { PATH: process.env.PATH, JOB_COMPLETION_INDEX: `${index}`, MIN_JUDGED: '50%' }
  const child = spawn(program, args, { cwd: directory, env })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended: ended.then((status) => ({ status, errors })) }
}

const smallest = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith('INCIDENT_STATUS')),
  )

describe('the pods of a fleet', () => {
  it('probe the deployment at their index, and the last one merges all reports', async () => {
    const [good, bad] = await Promise.all([
      referenceEnvironment(),
      referenceEnvironment({ fault: 'incident-update-responds-with-body' }),
    ])
    const wrong = { INCIDENT_STATUS_UNKNOWN: 'x' }
    const directory = volumesOf({ staging: smallest(good), production: smallest(bad), wrong })
    const pings: (string | undefined)[] = []
    const url = await startSwitch(pings)
    writeFileSync(join(directory, 'fleet', 'production.ping-url'), `${url}/production/\n`)
    writeFileSync(join(directory, 'known', 'staging.yaml'), 'waivers: []\n')
    // The report of an earlier night is not merged.
    mkdirSync(join(directory, 'reports', 'wrong'))
    writeFileSync(join(directory, 'reports', 'wrong', 'report.json'), '')

    // There is no fourth deployment: completions is too large.
    const pods = await Promise.all([0, 1, 2, 3].map((index) => startPod(index, directory).ended))

    expect(pods.map(({ status }) => status)).toEqual([1, 0, 2, 2])
    expect(pods[3]?.errors).toContain('completions')
    expect(pings).toEqual(['/production/1'])
    for (const name of ['production', 'staging']) {
      expect(readdirSync(join(directory, 'reports', name))).toEqual(
        expect.arrayContaining(['history.ndjson', 'report.html', 'report.json']),
      )
    }
    const page = readFileSync(join(directory, 'reports', 'fleet.html'), 'utf8')
    expect(references(pageTags(page))).toEqual(
      expect.arrayContaining(['production/report.html', 'staging/report.html']),
    )
    expect(pageText(page)).toMatch(/3 deployments: 1 failing, 1 .*, 1 conforming/)
    expect(pageText(page)).toMatch(/since \d{4}-/)
  })

  it('passes the signal of Kubernetes to the run, which then writes its reports', async () => {
    // Accepts connections and never responds.
    const server = createServer()
    const connected = new Promise((resolve) => server.once('connection', resolve))
    const sockets = new Set<{ destroy(): void }>()
    server.on('connection', (socket) => sockets.add(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atTheEnd(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as { port: number }
    const directory = volumesOf({
      staging: {
        ...smallest(await referenceEnvironment()),
        INCIDENT_STATUS_BASE_URL: `http://127.0.0.1:${port}`,
      },
    })

    const { child, ended } = startPod(0, directory)
    await connected
    child.kill('SIGTERM')

    expect((await ended).status).toBe(3)
    const report = readFileSync(join(directory, 'reports', 'staging', 'report.json'), 'utf8')
    expect(JSON.parse(report).run.interrupted).toBe(true)
    expect(readdirSync(join(directory, 'reports'))).toContain('fleet.html')
  })
})
