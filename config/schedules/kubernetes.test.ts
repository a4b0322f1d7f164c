import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CronJob, type ICronJob } from 'kubernetes-models/batch/v1'
import { ConfigMap, type IConfigMap, PersistentVolumeClaim } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { readWaivers } from '../../lib/runs/waivers/read.ts'
import { template } from './template.fixture.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const text = template('kubernetes.yaml')
const kinds = { CronJob, ConfigMap, PersistentVolumeClaim }

type Manifest = { kind: keyof typeof kinds }

function manifestsOf(content: string): Manifest[] {
  return parseAllDocuments(content).map((document) => document.toJS())
}

/** The schemas of Kubernetes allow every name; its types know which there are. Each has its file. */
function unknownNames(manifests: Record<string, readonly Manifest[]>): string {
  const directory = temporaryDirectory()
  const files = Object.entries(manifests).map(([name, all]) => {
    const lines = all.map(({ kind, ...rest }, index) => {
      const place = kind === 'CronJob' ? 'batch/v1' : 'v1'
      const type = `import('${modules}/kubernetes-models/${place}').I${kind}`
      return `export const manifest${index}: ${type} = ${JSON.stringify({ kind, ...rest })}`
    })
    const file = join(directory, `${name}.ts`)
    writeFileSync(file, lines.join('\n'))
    return file
  })
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module esnext'
  const { stdout } = spawnSync(
    join(modules, '.bin/tsc'),
    [...options.split(' '), '--moduleResolution', 'bundler', '--types', '', ...files],
    { encoding: 'utf8' },
  )
  return stdout
}

const manifests = manifestsOf(text)
const jobs = manifests.filter(({ kind }) => kind === 'CronJob') as unknown as ICronJob[]

const podOf = (job: ICronJob) => job.spec?.jobTemplate.spec?.template.spec

describe('the manifests for Kubernetes', () => {
  it('are ones to Kubernetes', () => {
    expect(jobs).toHaveLength(2)
    for (const manifest of manifests) {
      // Each class takes manifests of its own kind.
      expect(() => new kinds[manifest.kind](manifest as never).validate()).not.toThrow()
    }
  })

  it('would not be with a name or a value that there is not', () => {
    const misnamed = manifestsOf(text.replaceAll('readOnlyRootFilesystem', 'readOnlyRoot'))
    const [, , job] = manifestsOf(text.replace('memory: 1Gi', 'memory: [1]'))

    const unknown = unknownNames({ ours: manifests, misnamed })
    expect(unknown).toMatch(/misnamed\.ts.*readOnlyRoot/)
    expect(unknown).not.toContain('ours.ts')
    expect(() => new CronJob(job as never).validate()).toThrow('memory')
  })

  it('give a job no rights, and nothing to write to but its volumes', () => {
    for (const job of jobs) {
      expect(podOf(job)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      })
      for (const { securityContext, env } of podOf(job)?.containers ?? []) {
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        })
        expect(env?.map(({ name }) => name) ?? ['MIN_JUDGED']).toEqual(['MIN_JUDGED'])
      }
    }
  })

  it('list the deviations of a deployment as Plumbline reads them', () => {
    const map = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as IConfigMap
    const [probe] = jobs
    const volumes = probe === undefined ? [] : podOf(probe)?.volumes

    expect(readWaivers(map.data?.['waivers.yaml'] ?? '', 'waivers.yaml')).toEqual([])
    expect(map.metadata?.name).toBe(probe?.metadata?.name)
    expect(volumes?.flatMap(({ configMap }) => configMap?.name ?? [])).toEqual([map.metadata?.name])
  })
})
