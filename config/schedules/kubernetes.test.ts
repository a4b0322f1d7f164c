import Ajv from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readWaivers } from '../../lib/runs/waivers/read.ts'
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

const manifests = manifestsOf(text)
const jobs = manifests.filter(({ kind }) => kind === 'CronJob')

const podOf = (job: Manifest) => job.spec.jobTemplate.spec.template.spec

function problemsOf(content: string): string[] {
  const ajv = new Ajv({ allErrors: true })
  return manifestsOf(content).flatMap((manifest) => {
    ajv.validate(schemas[manifest.kind], manifest)
    return (ajv.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  })
}

describe('the manifests for Kubernetes', () => {
  it('have the fields and values of Kubernetes', () => {
    expect(jobs).toHaveLength(2)
    expect(problemsOf(text)).toEqual([])
  })

  it.each([
    ['readOnlyRootFilesystem', 'readOnlyRoot', 'additionalProperties'],
    ['memory: 1Gi', 'memory: [1]', 'type'],
    ['concurrencyPolicy: Forbid', 'concurrencyPolicy: Never', 'enum'],
    ['restartPolicy: Never', 'enableServiceLinks: true', 'required'],
  ])('would not with another name or value: %s', (before, after, keyword) => {
    const changed = text.replace(before, after).replace('enableServiceLinks: false\n', '\n')
    expect(problemsOf(changed)).toEqual([expect.stringMatching(` ${keyword}$`)])
  })

  it('give a job no rights, and nothing to write to but its volumes', () => {
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
        const names = ['MIN_JUDGED', 'PING_URL']
        expect(env?.map(({ name }) => name) ?? names).toEqual(names)
      }
    }
  })

  it('list the deviations of a deployment as Plumbline reads them', () => {
    const map = manifests.find(({ kind }) => kind === 'ConfigMap')
    const [probe] = jobs
    const volumes = probe === undefined ? [] : podOf(probe).volumes

    expect(readWaivers(map?.data?.['waivers.yaml'] ?? '', 'waivers.yaml')).toEqual([])
    expect(map?.metadata.name).toBe(probe?.metadata.name)
    expect(volumes.flatMap(({ configMap }) => configMap?.name ?? [])).toEqual([map?.metadata.name])
  })
})
