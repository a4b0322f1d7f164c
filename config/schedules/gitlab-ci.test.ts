import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const execute = promisify(execFile)

const text = template('gitlab-ci.yml')
const pipeline = parse(text)

/** Checks by GitLab's JSON Schema, resolves everything, and lists the jobs of a scheduled pipeline. */
async function jobsOf(content: string): Promise<{ name: string; when: string }[]> {
  const directory = temporaryDirectory()
  await execute('git', ['init', '--quiet'], { cwd: directory })
  writeFileSync(join(directory, '.gitlab-ci.yml'), content)
  const manifest = createRequire(import.meta.url).resolve('gitlab-ci-local/package.json')
  const { stdout } = await execute(
    process.execPath,
    [join(dirname(manifest), 'dist/index.js'), '--list-json'],
    { cwd: directory, env: { ...process.env, CI_PIPELINE_SOURCE: 'schedule' } },
  )
  return JSON.parse(stdout.slice(stdout.indexOf('[\n')))
}

// The reader needs methods of sets that Node.js 20 lacks.
describe.skipIf(!('union' in Set.prototype))('the pipeline for GitLab CI', () => {
  it('has a job for each deployment, and one that always runs', async () => {
    const jobs = await jobsOf(text)

    expect(jobs.map(({ name, when }) => [name, when])).toEqual([
      ['probe: [staging]', 'on_success'],
      ['probe: [production]', 'on_success'],
      ['fleet', 'always'],
    ])
  })

  it('is invalid with an unknown key', async () => {
    await expect(jobsOf(text.replaceAll('expire_in', 'expires'))).rejects.toThrow('expires')
  })
})

it('the jobs for GitLab CI keep reports after a failure, and cache none', () => {
  const { artifacts, cache } = pipeline.probe

  expect(artifacts.when).toBe('always')
  expect(artifacts.reports).toEqual({
    junit: '$DEPLOYMENT/junit.xml',
    metrics: '$DEPLOYMENT/metrics.txt',
  })
  expect([cache.when, cache.paths]).toEqual(['always', ['$DEPLOYMENT/history.ndjson', '.npm/']])
  expect(pipeline.fleet.artifacts.when).toBe('always')
})
