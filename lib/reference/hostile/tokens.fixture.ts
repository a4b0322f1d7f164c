import { randomBytes } from 'node:crypto'
import { type Behaviour, changing, type HonestResponse } from './behaviour.fixture.ts'
import { withMember } from './content.fixture.ts'

const SIZE = 5_000_000

/** A behaviour that changes the answers that hand out a token. */
function handingOut(
  name: string,
  does: string,
  change: (honest: HonestResponse) => HonestResponse,
): Behaviour {
  return changing(name, does, (honest) => (honest.status === 201 ? change(honest) : honest))
}

function withValue(honest: HonestResponse, value: string): HonestResponse {
  const body = honest.body.toString().replace(/("sha1":")[^"]*/, `$1${value}`)
  return { ...honest, body: Buffer.from(body) }
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Servers that hand out tokens, or what looks like tokens, in quantities. */
export const tokens: readonly Behaviour[] = [
  handingOut('long-token', 'hands out tokens of five megabytes', (honest) =>
    withValue(honest, randomText(SIZE / 2)),
  ),
  handingOut('token-of-one-letter', 'hands out tokens of five million times a letter', (honest) =>
    withValue(honest, 'a1'.repeat(SIZE / 2)),
  ),
  handingOut('texts-like-tokens', 'sends 5,000 texts beside a token that look like one', (honest) =>
    withMember(
      honest,
      Array.from({ length: 5000 }, (_, at) => `"text-${at}":"${randomText(20)}"`).join(),
    ),
  ),
  handingOut(
    'long-text-beside-a-token',
    'sends a text of five megabytes beside a token',
    (honest) => withMember(honest, `"text":"${'a1'.repeat(SIZE / 2)}"`),
  ),
]
