import { Secret, TOTP } from 'otpauth'
import type { Run } from '../run.ts'

/** Seconds for which a code holds (RFC 6238, 5.2). */
export const STEP_SECONDS = 30

/** Steps before and after the current one whose codes a lenient server might still accept. */
const NEARBY_STEPS = 20

function generate(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS }).generate({
    timestamp,
  })
}

/** The code of the current step; from then on it is a secret of the run. */
export function currentCode(run: Run, secret: string): string {
  const code = generate(secret, Date.now())
  run.redactor.add('ONE_TIME_CODE', code)
  return code
}

/** A code of the right form that holds in no step near the current one. */
export function wrongCode(secret: string): string {
  const now = Date.now()
  const nearby = new Set<string>()
  for (let step = -NEARBY_STEPS; step <= NEARBY_STEPS; step += 1) {
    nearby.add(generate(secret, now + step * STEP_SECONDS * 1000))
  }
  let code = 0
  while (nearby.has(String(code).padStart(6, '0'))) code += 1
  return String(code).padStart(6, '0')
}

/** Milliseconds until the next step begins. */
export function untilNextStep(now = Date.now()): number {
  const step = STEP_SECONDS * 1000
  return step - (now % step)
}
