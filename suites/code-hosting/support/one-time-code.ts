import { Secret, TOTP } from 'otpauth'
import type { Run } from '../../../lib/conformance/run.ts'

/** Seconds for which a code holds (RFC 6238, 5.2). */
const STEP_SECONDS = 30

/** Steps before and after the current one whose codes a lenient server might still accept. */
const NEARBY_STEPS = 20

function generate(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS }).generate({
    timestamp,
  })
}

/** The code of a step near the current one; from then on it is a secret of the run. */
export function codeOfStep(run: Pick<Run, 'redactor'>, secret: string, fromNow: number): string {
  const code = generate(secret, Date.now() + fromNow * STEP_SECONDS * 1000)
  run.redactor.add('ONE_TIME_CODE', code)
  return code
}

/** The code of the current step. */
export function currentCode(run: Pick<Run, 'redactor'>, secret: string): string {
  return codeOfStep(run, secret, 0)
}

/** The codes that a lenient server might accept at this moment. */
function nearbyCodes(secret: string, now: number): Set<string> {
  const steps = Array.from({ length: 2 * NEARBY_STEPS + 1 }, (_, index) => index - NEARBY_STEPS)
  return new Set(steps.map((step) => generate(secret, now + step * STEP_SECONDS * 1000)))
}

/** A code that held an hour ago, and holds in no step near the current one. */
export function staleCode(secret: string): string {
  const now = Date.now()
  const nearby = nearbyCodes(secret, now)
  let stale = now - 3_600_000
  while (nearby.has(generate(secret, stale))) stale -= STEP_SECONDS * 1000
  return generate(secret, stale)
}

/** A code of the right form that holds in no step near the current one. */
export function wrongCode(secret: string): string {
  const nearby = nearbyCodes(secret, Date.now())
  let code = 0
  while (nearby.has(String(code).padStart(6, '0'))) code += 1
  return String(code).padStart(6, '0')
}

/** Milliseconds until the next step begins. */
export function untilNextStep(now = Date.now()): number {
  const step = STEP_SECONDS * 1000
  return step - (now % step)
}
