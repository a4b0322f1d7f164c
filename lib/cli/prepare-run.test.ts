import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { loadTargetOrExplain, startEmbedded } from './prepare-run.ts'

it.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ NODE_EXTRA_CA_CERTS: ' ' }, /^plumbline: NODE_EXTRA_CA_CERTS in \.env does nothing: .*\n$/],
  [{ NODE_EXTRA_CA_CERTS: '/elsewhere.pem' }, /^$/],
])(
  'what Node.js reads when it starts is told of in .env, unless the process has it',
  (env, told) => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, '.env'), 'NODE_EXTRA_CA_CERTS=/etc/authority.pem\n')
    const context = enclosedContext(directory)
    loadTargetOrExplain({ environment: env, directory }, context.errors)
    expect(context.told.errors).toMatch(told)
  },
)

it('the embedded deployment says when the port is in use', async () => {
  const { origin, close } = await startEmbedded({ port: 0 })
  const { port } = new URL(origin)
  await expect(startEmbedded({ port: Number(port) })).rejects.toThrow(
    `--port ${port}: the embedded deployment cannot listen at 127.0.0.1: address already in use (EADDRINUSE).`,
  )
  await close()
})
