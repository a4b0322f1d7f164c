import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { atTheEnd, cleanEnvironment, temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { closeAll, startServer } from '../../lib/probe/server.fixture.ts'

const script = fileURLToPath(new URL('ping.js', import.meta.url))

/** Starts a server that always responds with this status. */
async function startSwitch(status: number) {
  const paths: (string | undefined)[] = []
  let requestedAt = 0
  const { url } = await startServer((request, response) => {
    requestedAt = performance.now()
    paths.push(request.url)
    response.writeHead(status).end()
  })
  atTheEnd(closeAll)
  const idleMs = () => performance.now() - requestedAt
  return { paths, idleMs, url: `${url.href}secret-id/` }
}

/** Runs a program of Node.js; `onOutput` receives the process after its first output. */
async function pinged(
  code: string,
  ping: string | Record<string, string> = {},
  onOutput: (child: ReturnType<typeof spawn>) => void = () => {},
) {
  const child = spawn(process.execPath, ['--', script, process.execPath, '-e', code], {
    env: { ...cleanEnvironment(), ...(typeof ping === 'string' ? { PING_URL: ping } : ping) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.once('data', () => onOutput(child))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part))
  const status = await new Promise((resolve) => child.once('close', resolve))
  return { status, text }
}

it.concurrent.each([0, 3])('reports the exit status %i, and ends with it', async (status) => {
  const { paths, url } = await startSwitch(200)
  const code = `console.log(process.env.PING_URL ?? 'unset'); process.exitCode = ${status}`
  expect(await pinged(code, url)).toEqual({ status, text: 'unset\n' })
  expect(paths).toEqual([`/secret-id/${status}`])
})

it.concurrent('repeats a report that was not accepted, and does not print the address', async () => {
  const { paths, url, idleMs } = await startSwitch(503)
  const { status, text } = await pinged('process.exitCode = 3', url)
  expect([status, paths.length]).toEqual([3, 3])
  // A pause follows each attempt except the last one, and would be its longest.
  expect(idleMs()).toBeLessThan(2500)
  expect(text).toContain('503')
  expect(text).not.toContain('secret-id')
})

it.concurrent('reads the address from a credential of a systemd unit', async () => {
  const { paths, url } = await startSwitch(200)
  const CREDENTIALS_DIRECTORY = temporaryDirectory()
  const code = 'process.exitCode = 1'
  expect((await pinged(code, { CREDENTIALS_DIRECTORY })).status).toBe(1)
  writeFileSync(join(CREDENTIALS_DIRECTORY, 'ping-url'), `${url}\n`)
  expect((await pinged(code, { CREDENTIALS_DIRECTORY })).status).toBe(1)
  expect(paths).toEqual(['/secret-id/1'])
})

it.concurrent('forwards signals, and reports the status of the interrupted command', async () => {
  const { paths, url } = await startSwitch(200)
  const code = `process.on('SIGHUP', () => process.exit(3)); setInterval(() => {}, 1000); console.log('')`
  const { status } = await pinged(code, url, (child) => child.kill('SIGHUP'))
  expect([status, paths]).toEqual([3, ['/secret-id/3']])
})

it.concurrent('only runs the command without an address', async () => {
  expect(await pinged('process.exitCode = 1')).toEqual({ status: 1, text: '' })
})
