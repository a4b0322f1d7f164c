import { expect, it } from 'vitest'
import { checksFor, selectRequirements, startEmbedded } from './prepare-run.ts'
import { catalogues } from './services.ts'

it('the embedded deployment says when the port is in use', async () => {
  const { origin, close } = await startEmbedded({ port: 0 })
  const { port } = new URL(origin)
  await expect(startEmbedded({ port: Number(port) })).rejects.toThrow(
    `--port ${port}: the embedded deployment cannot listen at 127.0.0.1: address already in use (EADDRINUSE).`,
  )
  await close()
})

it('every check of its service runs for an invariant, and its own for another requirement', () => {
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
