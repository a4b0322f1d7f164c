import type { Behaviour } from './behaviour.ts'
import { content } from './content.ts'
import { endings } from './endings.ts'
import { fields } from './fields.ts'
import { framing } from './framing.ts'
import { large } from './large.ts'
import { pages } from './pages.ts'
import { redirects } from './redirects.ts'
import { silence } from './silence.ts'
import { tokens } from './tokens.ts'

/** Every way in which a hostile deployment misbehaves. */
export const behaviours: readonly Behaviour[] = [
  ...silence,
  ...endings,
  ...framing,
  ...content,
  ...fields,
  ...large,
  ...pages,
  ...redirects,
  ...tokens,
]

/** @throws Error when there is none of that name */
export function behaviourNamed(name: string): Behaviour {
  const found = behaviours.find((behaviour) => behaviour.name === name)
  if (found === undefined) throw new Error(`there is no behaviour ${name}`)
  return found
}
