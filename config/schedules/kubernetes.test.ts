import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
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

describe('the manifests of kubernetes.yaml', () => {
  const manifests = parseAllDocuments(template('kubernetes.yaml')).map(
    (one): Manifest => one.toJS(),
  )
  const jobs = manifests.filter(({ kind }) => kind === 'CronJob')
  const maps = manifests.filter(({ kind }) => kind === 'ConfigMap')

  it('give a job no rights, and nothing to write to except its volumes', () => {
    expect([jobs.length, maps.length]).toEqual([1, 1])
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
        expect(env?.map(({ name }) => name)).toEqual(['MIN_JUDGED', 'PING_URL'])
      }
    }
  })

  it('list the deviations of a deployment as Plumbline reads them', () => {
    const volumes = jobs.flatMap((job) => podOf(job).volumes)
    const mounted = volumes.flatMap(({ configMap }) => configMap?.name ?? [])
    expect(maps.map(({ metadata }) => metadata.name)).toEqual(mounted)
    const files = maps.flatMap(({ data = {} }) => Object.entries(data))
    expect(files.map(([name]) => name)).toEqual(['waivers.yaml'])
    for (const [name, content] of files) expect(readWaivers(content, name)).toEqual([])
  })
})
