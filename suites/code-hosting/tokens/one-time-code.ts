import { Secret, TOTP } from 'otpauth'
import type { Run } from '../../../lib/conformance/probe-run.ts'

/** Validity of a code in seconds (RFC 6238, 5.2). */
const STEP_SECONDS = 30

/** Steps before and after the current one whose codes a lenient server might still accept. */
const NEARBY_STEPS = 20

/** @param fromNow in steps */
function generate(secret: string, fromNow: number): string {
  const timestamp = Date.now() + fromNow * STEP_SECONDS * 1000
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS })
  return totp.generate({ timestamp })
}

/** Returns the code of a nearby step and registers it as a secret. @param fromNow in steps */
export function oneTimeCode({ redactor }: Pick<Run, 'redactor'>, secret: string, fromNow = 0) {
  const code = generate(secret, fromNow)
  redactor.add('ONE_TIME_CODE', code)
  return code
}

/** Returns the first of these codes that is invalid in all nearby steps. */
function notNearby(secret: string, codeOf: (index: number) => string): string {
  const steps = Array.from({ length: 2 * NEARBY_STEPS + 1 }, (_, index) => index - NEARBY_STEPS)
  const nearby = new Set(steps.map((step) => generate(secret, step)))
  for (let index = 0; ; index += 1) {
    const code = codeOf(index)
    if (!nearby.has(code)) return code
  }
}

export const staleCode = (secret: string) =>
  notNearby(secret, (index) => generate(secret, -3600 / STEP_SECONDS - index))

/** Returns the current code with another last digit. */
export const nearCode = (secret: string) => {
  const current = generate(secret, 0)
  return notNearby(
    secret,
    (index) => `${current.slice(0, -1)}${(Number(current.at(-1)) + 1 + index) % 10}`,
  )
}

export const wrongCode = (secret: string) =>
  notNearby(secret, (index) => String(index).padStart(6, '0'))

export const untilNextStep = () => STEP_SECONDS * 1000 - (Date.now() % (STEP_SECONDS * 1000))
