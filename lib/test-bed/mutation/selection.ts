import type { Mutant } from './instrument.ts'

interface Selection {
  file: string
  from: number
  to: number
}

/** Reads `access.ts`, `access.ts:40`, `access.ts:40-90`, or `access.ts:40-`. */
function readSelection(argument: string): Selection {
  const [, file = argument, from, range, to] = /^(.+?):(\d+)(-(\d*))?$/.exec(argument) ?? []
  const last = range ? to || Number.POSITIVE_INFINITY : from
  return { file, from: Number(from ?? 1), to: Number(last ?? Number.POSITIVE_INFINITY) }
}

/** Returns which mutants and files arguments select: without any, all. */
export function readSelections(texts: readonly string[]) {
  const selections = texts.map(readSelection)
  const isAll = selections.length === 0
  const isOf = (one: Selection, file: string) => `/${file}`.endsWith(`/${one.file}`)
  return {
    selects: ({ file, line }: Pick<Mutant, 'file' | 'line'>): boolean =>
      isAll || selections.some((one) => isOf(one, file) && one.from <= line && line <= one.to),
    selectsAllOf: (file: string): boolean =>
      isAll ||
      selections.some(
        (one) => isOf(one, file) && one.from === 1 && one.to === Number.POSITIVE_INFINITY,
      ),
  }
}
