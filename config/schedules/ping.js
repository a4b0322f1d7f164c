// Runs a command and reports its exit status to a dead man's switch, a service that alerts if no report arrives in time:
//
//   PING_URL=https://hc-ping.com/UUID/ node -- ping.js plumbline run …
//
// The exit status is appended to PING_URL: 0 means success. Such services are healthchecks.io (https://hc-ping.com/UUID/)
// and Dead Man's Snitch (https://nosnch.in/TOKEN?s=). The address may also be the credential ping-url of a systemd unit
// (LoadCredential=). Without an address, this only runs the command. It ends with the exit
// status of the command, even if nothing responds at PING_URL.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const [command = '', ...args] = process.argv.slice(2)
const { PING_URL, ...env } = process.env

const file = join(env.CREDENTIALS_DIRECTORY ?? '', 'ping-url')
const isCredential = env.CREDENTIALS_DIRECTORY && existsSync(file)
const address = PING_URL || (isCredential ? readFileSync(file, 'utf8').trim() : '')

const log = (problem) => process.stderr.write(`ping.js: ${problem}\n`)

const child = spawn(command, args, { stdio: 'inherit', env })
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
const status = await new Promise((resolve) => {
  child.on('close', (code) => resolve(code ?? 130))
  child.on('error', (error) => {
    log(error.message)
    resolve(127)
  })
})

for (let attempt = 1; address !== '' && attempt <= 3; attempt += 1) {
  // Without the address, which is a secret.
  const problem = await fetch(`${address}${status}`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => (response.ok ? undefined : `status ${response.status}`),
    (error) => error.cause?.code ?? error.name,
  )
  if (problem === undefined) break
  log(`PING_URL, attempt ${attempt} of 3: ${problem}`)
  if (attempt < 3) await wait(1000 * attempt)
}
process.exit(status)
