import Ajv from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readWaivers } from '../../lib/runs/waivers/waivers-file.ts'
import { schemas } from './kubernetes-schema.fixture.ts'
import { template } from './template.fixture.ts'

interface Pod {
  containers: { securityContext: object; env?: { name: string }[] }[]
  volumes: { configMap?: { name: string } }[]
}

interface Manifest {
  kind: keyof typeof schemas
  metadata: { name: string }
  data?: Record<string, string>
  spec: { jobTemplate: { spec: { template: { spec: Pod } } } }
}

const text = template('kubernetes.yaml')

const manifestsOf = (content: string): Manifest[] =>
  parseAllDocuments(content).map((document) => document.toJS())

const podOf = (job: Manifest) => job.spec.jobTemplate.spec.template.spec

function problemsOf(content: string): string[] {
  const ajv = new Ajv({ allErrors: true })
  return manifestsOf(content).flatMap((manifest) => {
    ajv.validate(schemas[manifest.kind], manifest)
    return (ajv.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  })
}

it.each([
  ['readOnlyRootFilesystem', 'readOnlyRoot', 'additionalProperties'],
  ['memory: 1Gi', 'memory: [1]', 'type'],
  ['concurrencyPolicy: Forbid', 'concurrencyPolicy: Never', 'enum'],
  ['restartPolicy: Never', 'enableServiceLinks: true', 'required'],
])('a manifest with another name or value is rejected: %s', (before, after, keyword) => {
  const changed = text.replace(before, after).replace('enableServiceLinks: false\n', '\n')
  expect(problemsOf(changed)).toEqual([expect.stringMatching(` ${keyword}$`)])
})

describe.each<[string, { jobs: number; variables: string[]; waivers: string[] }]>([
  [
    'kubernetes.yaml',
    { jobs: 2, variables: ['MIN_JUDGED', 'PING_URL'], waivers: ['waivers.yaml'] },
  ],
  ['kubernetes-fleet.yaml', { jobs: 1, variables: ['MIN_JUDGED'], waivers: ['staging.yaml'] }],
])('the manifests of %s', (file, expected) => {
  const manifests = manifestsOf(template(file))
  const jobs = manifests.filter(({ kind }) => kind === 'CronJob')
  const maps = manifests.filter(({ kind }) => kind === 'ConfigMap')

  it('have the fields and values of Kubernetes', () => {
    expect([jobs.length, maps.length]).toEqual([expected.jobs, 1])
    expect(problemsOf(template(file))).toEqual([])
  })

  it('give a job no rights, and nothing to write to except its volumes', () => {
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
