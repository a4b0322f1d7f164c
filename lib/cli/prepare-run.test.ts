import { expect, it } from 'vitest'
import { startEmbedded } from './prepare-run.ts'

it('the embedded deployment says when the port is in use', async () => {
  const { origin, close } = await startEmbedded({ port: 0 })
  const { port } = new URL(origin)
  await expect(startEmbedded({ port: Number(port) })).rejects.toThrow(
    `--port ${port}: the embedded deployment cannot listen at 127.0.0.1: address already in use (EADDRINUSE).`,
  )
  await close()
})
