import {
  type Behaviour,
  changing,
  type Encounter,
  type HonestResponse,
} from './behaviour.fixture.ts'
import { withMember } from './content.fixture.ts'

/** Of a body; just under the usual limit. */
const SIZE = 9_000_000

/** As many of these are read as there are. */
const LONG_MESSAGE = 450_000

/** As many as a list or object may have to be read at all, and in how many of these a body has them. */
const MOST_READ = 19_900
const LISTS = 4

/** So many, no two alike, and together of a size: each is handed a text that makes it so. */
function items(count: number, size: number, one: (text: string) => string): string {
  const length = Math.floor(size / count) - one('').length - 1
  return Array.from({ length: count }, (_, index) =>
    one(String(index).padStart(Math.max(6, length), 'a')),
  ).join()
}

/** Members with lists, in which there are as many as are read. */
function lists(one: (text: string) => string): string {
  const list = `[${items(MOST_READ, SIZE / LISTS, one)}]`
  return Array.from({ length: LISTS }, (_, index) => `"list-${index}":${list}`).join()
}

const made = new Map<string, string>()
/** Made once: a run gets each of these many times. */
function once(name: string, make: () => string): string {
  const text = made.get(name) ?? make()
  made.set(name, text)
  return text
}

/** A member, or several, that each object has beside its own. */
function filled(name: string, does: string, make: () => string): Behaviour {
  return changing(name, does, (honest) => withMember(honest, once(name, make)))
}

function isList({ request }: Encounter, { status }: HonestResponse): boolean {
  return status === 200 && /\/user\/repos(?:\?|$)/.test(request.url ?? '')
}

/** Lists of records that have nothing but a name. */
function listing(name: string, does: string, count: number): Behaviour {
  const records = () => `[${items(count, SIZE, (text) => `{"full_name":"maria/${text}"}`)}]`
  return changing(name, does, (honest, encounter) =>
    isList(encounter, honest) ? { ...honest, body: Buffer.from(once(name, records)) } : honest,
  )
}

function withLongMessage(honest: HonestResponse): HonestResponse {
  const scope = ',read:user'
  const body = honest.body.toString('latin1')
  const longer = body.replace(
    /"message":"(?:[^"\\]|\\.)+/,
    (message) => message + once('message', () => scope.repeat(LONG_MESSAGE / scope.length)),
  )
  return { ...honest, body: Buffer.from(longer, 'latin1') }
}

/** Servers whose bodies are as large as is read, in the shapes that cost more than their bytes. */
export const large: readonly Behaviour[] = [
  listing('many-records', 'lists as many records as are read', MOST_READ),
  listing('short-records', 'lists a quarter of a million short records', 240_000),
  filled('many-members', 'sends objects of as many members as are read', () =>
    items(MOST_READ, SIZE, (text) => `"${text}":1`),
  ),
  filled('short-members', 'sends objects of 200,000 short members', () =>
    items(200_000, SIZE, (text) => `"${text}":1`),
  ),
  filled('many-objects', 'sends as many small objects as are read', () =>
    lists((text) => `{"a":"${text}"}`),
  ),
  filled('many-lists', 'sends as many small lists as are read', () =>
    lists((text) => `["${text}"]`),
  ),
  filled('empty-lists', 'sends as many empty lists as are read', () => lists(() => '[]')),
  filled('long-texts', 'sends texts of a megabyte', () =>
    items(
      9,
      SIZE,
      (text) =>
        `"text-${text.slice(-1)}":"${text.replace(/a{39}/g, 'the quick brown fox jumps over the dog ')}"`,
    ),
  ),
  changing('long-messages', 'refuses with messages of half a megabyte', withLongMessage),
]
