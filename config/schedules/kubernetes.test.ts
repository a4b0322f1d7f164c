import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CronJob, type ICronJob } from 'kubernetes-models/batch/v1'
import { ConfigMap, type IConfigMap, PersistentVolumeClaim } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { readWaivers } from '../../lib/waivers/read.ts'
import { template } from './template.fixture.ts'

const execute = promisify(execFile)

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const text = template('kubernetes.yaml')
const kinds = { CronJob, ConfigMap, PersistentVolumeClaim }

type Manifest = { kind: keyof typeof kinds }

function manifestsOf(content: string): Manifest[] {
  return parseAllDocuments(content).map((document) => document.toJS())
}

/** The schemas of Kubernetes allow every name; its types know which there are. */
async function unknownNames(manifests: readonly Manifest[]): Promise<string> {
  const file = join(temporaryDirectory(), 'manifests.ts')
  const lines = manifests.map(({ kind, ...rest }, index) => {
    const place = kind === 'CronJob' ? 'batch/v1' : 'v1'
    const type = `import('${modules}/kubernetes-models/${place}').I${kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify({ kind, ...rest })}`
  })
  writeFileSync(file, lines.join('\n'))
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext']
  const resolution = ['--moduleResolution', 'bundler', '--types', '']
  try {
    await execute(join(modules, '.bin/tsc'), [...options, ...resolution, file])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const manifests = manifestsOf(text)
const jobs = manifests.filter(({ kind }) => kind === 'CronJob') as unknown as ICronJob[]

const podOf = (job: ICronJob) => job.spec?.jobTemplate.spec?.template.spec
const containersOf = (job: ICronJob) => podOf(job)?.containers ?? []

describe('the manifests for Kubernetes', () => {
  it('are ones to Kubernetes', async () => {
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'PersistentVolumeClaim',
      'ConfigMap',
      'CronJob',
      'CronJob',
    ])
    for (const manifest of manifests) {
      // Each class takes manifests of its own kind.
      expect(() => new kinds[manifest.kind](manifest as never).validate()).not.toThrow()
    }
    expect(await unknownNames(manifests)).toBe('')
  })

  it('would not be with a name or a value that there is not', async () => {
    const misnamed = manifestsOf(text.replaceAll('readOnlyRootFilesystem', 'readOnlyRoot'))
    const [, , job] = manifestsOf(text.replace('memory: 1Gi', 'memory: [1]'))

    expect(await unknownNames(misnamed)).toContain('readOnlyRoot')
    expect(() => new CronJob(job as never).validate()).toThrow('memory')
  })

  it('run one job at a time, once, for a limited time', () => {
    for (const { spec } of jobs) {
      expect(spec?.concurrencyPolicy).toBe('Forbid')
      expect(spec?.jobTemplate.spec?.backoffLimit).toBe(0)
      expect(spec?.jobTemplate.spec?.activeDeadlineSeconds).toBeLessThanOrEqual(900)
    }
  })

  it('give a job no rights, and nothing to write to but its volumes', () => {
    for (const job of jobs) {
      expect(podOf(job)).toMatchObject({
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of containersOf(job)) {
        expect(container).toMatchObject({
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { limits: { cpu: expect.anything(), memory: expect.anything() } },
        })
        expect(container.env).toBeUndefined()
      }
    }
  })

  it('mount the volumes that they have, and the secret one for reading', () => {
    for (const job of jobs) {
      const mounts = containersOf(job).flatMap(({ volumeMounts = [] }) => volumeMounts)
      const volumes = podOf(job)?.volumes ?? []

      expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
      for (const { name } of volumes.filter(({ secret }) => secret !== undefined)) {
        expect(mounts.find((mount) => mount.name === name)?.readOnly).toBe(true)
      }
    }
  })

  it('list the deviations of a deployment as Plumbline reads them', () => {
    const map = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as IConfigMap
    const [probe] = jobs
    const volumes = probe === undefined ? [] : podOf(probe)?.volumes

    expect(readWaivers(map.data?.['waivers.yaml'] ?? '')).toEqual({ waivers: [] })
    expect(map.metadata?.name).toBe(probe?.metadata?.name)
    expect(volumes?.flatMap(({ configMap }) => configMap?.name ?? [])).toEqual([map.metadata?.name])
  })
})
