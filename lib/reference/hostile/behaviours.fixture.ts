import type { Behaviour } from './behaviour.fixture.ts'
import { content } from './content.fixture.ts'
import { endings } from './endings.fixture.ts'
import { fields } from './fields.fixture.ts'
import { framing } from './framing.fixture.ts'
import { large } from './large.fixture.ts'
import { pages } from './pages.fixture.ts'
import { redirects } from './redirects.fixture.ts'
import { silence } from './silence.fixture.ts'
import { tokens } from './tokens.fixture.ts'

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
