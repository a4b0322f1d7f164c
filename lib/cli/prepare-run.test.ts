import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.fixture.ts'
import { sharedSuites } from './enclosed-run.fixture.ts'
import { startReferenceServer } from './prepare-run.ts'
import { checksFor, selectRequirements } from './select.ts'
import { catalogues } from './services.ts'

afterEach(closeAll)

it('startReferenceServer rejects a port in use', async () => {
  const { origin, close } = await startReferenceServer({ port: 0 })
  const { port } = new URL(origin)
  await expect(startReferenceServer({ port: Number(port) })).rejects.toThrow(
    new RegExp(`^--port ${port}: .*\\(EADDRINUSE\\)`),
  )
  await close()
})

it('run first prints the proxy of a service, without credentials', async () => {
  const context = createNestedContext(temporaryDirectory(), sharedSuites)
  const before: string[] = []
  const proxy = await startServer((_, response) => {
    before.push(context.reported.errors)
    response.writeHead(500).end()
  })
  const environment = {
    CODE_HOSTING_BASE_URL: 'http://git.invalid',
    INCIDENT_STATUS_BASE_URL: 'http://127.0.0.1:1',
    HTTP_PROXY: `http://maria:her-password@${proxy.url.host}`,
    NO_PROXY: '127.0.0.1',
    PROBE_RETRIES: '0',
  }
  const args = ['run', '--service', 'code-hosting', '--requirement', 'settings']
  await runCommandLine(args, { ...context, environment })
  const [line] = before[0]?.split('\n') ?? []
  expect(line).toContain(`code-hosting: `)
  expect(line).toContain(proxy.url.origin)
  expect(context.reported.errors).not.toMatch(/her-password|incident-status: through/)
})

it('checksFor returns every check of the service for an invariant, and one for another requirement', () => {
  const idsOf = (...patterns: string[]) =>
    checksFor(catalogues, selectRequirements(catalogues, patterns))
  const all = catalogues.find(({ service }) => service === 'code-hosting')?.requirements
  const probed = 'code-hosting/errors/missing-repository'
  expect(idsOf(probed)).toEqual([probed])
  expect(idsOf('code-hosting/errors/body')).toEqual(all?.map(({ id }) => id))
  expect(idsOf('code-hosting/pagination/page-header')).toHaveLength(all?.length ?? 0)
  expect(idsOf('code-hosting/errors/body', 'incident-status/updates/accepted')).toHaveLength(
    (all?.length ?? 0) + 1,
  )
})

const services = ['code-hosting', 'event-publishing', 'incident-status']
const chosen = catalogues.filter(({ service }) => services.includes(service))

const idsOf = (...patterns: string[]) => selectRequirements(chosen, patterns).map(({ id }) => id)

describe('selectRequirements', () => {
  it('accepts an id, a prefix and a glob, and returns each requirement once in order', () => {
    expect(idsOf('code-hosting/settings/values', 'code-hosting/settings')).toEqual([
      'code-hosting/settings/readable-by-any-client',
      'code-hosting/settings/record',
      'code-hosting/settings/values',
      'code-hosting/settings/agree-with-pagination',
    ])
    expect(idsOf('*/*/link-*')).toEqual([
      'code-hosting/pagination/link-when-several-pages',
      'code-hosting/pagination/link-form',
      'code-hosting/pagination/link-relations',
      'code-hosting/pagination/link-targets',
    ])
  })
})
