// The files of the model whose mutants are tried.
import type { ServiceName } from '../reference/index.ts'
import type { Mutant } from './instrument.ts'

const MODEL = 'suites/code-hosting/model'
const PAGINATION = 'code-hosting/pagination/'
const KEYED = 'lib/conformance/keyed'

const smallServices: readonly ServiceName[] = ['event-publishing', 'incident-status']

/** A file of the model whose mutants are tried. */
interface MutatedFile {
  services: readonly ServiceName[]
  /** The tests of what it decides. */
  tests?: readonly string[]
  /** True if they take less time than a run. */
  isTestFirst?: true
  /** Prefix of the requirements of a file that names none. */
  prefix?: string
  /** True if the plan of a run has everything that the file decides. */
  isPlanned?: true
}

const accessTest = { services: ['code-hosting'], tests: [`${MODEL}/access-table.test.ts`] } as const

const isTestFirst = true
const listTest = {
  services: ['code-hosting'],
  tests: ['list-checks', 'list-deviations', 'recorded-lists'].map(
    (name) => `${MODEL}/${name}.test.ts`,
  ),
  isTestFirst,
} as const
const keyedTest = { tests: ['suites/keyed-tables.test.ts'], isTestFirst } as const

export const MUTATED_FILES: Readonly<Record<string, MutatedFile>> = {
  [`${MODEL}/access-table.ts`]: { ...accessTest, isPlanned: true, isTestFirst },
  [`${MODEL}/access.ts`]: { ...accessTest, isPlanned: true },
  [`${MODEL}/case.ts`]: { ...accessTest, isPlanned: true },
  [`${MODEL}/link-rules.ts`]: { ...listTest, prefix: `${PAGINATION}link-` },
  [`${MODEL}/list-rules.ts`]: listTest,
  [`${MODEL}/list-table.ts`]: {
    services: ['code-hosting'],
    tests: [`${MODEL}/list-table.test.ts`],
    isPlanned: true,
    isTestFirst,
  },
  [`${MODEL}/pages.ts`]: {
    services: ['code-hosting'],
    prefix: PAGINATION,
    tests: [`${MODEL}/pages.test.ts`],
    isTestFirst,
  },
  [`${MODEL}/response-rules.ts`]: {
    services: ['code-hosting'],
    tests: [`${MODEL}/response-rules.test.ts`],
    isTestFirst,
  },
  [`${KEYED}-cases.ts`]: {
    services: smallServices,
    tests: [`${KEYED}-cases.test.ts`],
    isTestFirst,
  },
  [`${KEYED}-table.ts`]: {
    services: smallServices,
    tests: ['suites/keyed-tables.test.ts', `${KEYED}-cases.test.ts`],
    isTestFirst,
  },
  'suites/event-publishing/keyed-table.ts': { services: ['event-publishing'], ...keyedTest },
  'suites/incident-status/keyed-table.ts': { services: ['incident-status'], ...keyedTest },
}

export const fileOf = ({ file }: Pick<Mutant, 'file'>) => MUTATED_FILES[file] as MutatedFile
