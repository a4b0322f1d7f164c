import type { Surroundings } from './surroundings.ts'

const WIDTH_WITHOUT_TERMINAL = 100

/**
 * How what goes to the output is set. There are colours on a terminal that knows them, unless somebody
 * does not want any (https://no-color.org).
 *
 * @returns the width in characters
 */
export function terminalOptions({
  output,
  environment,
}: Pick<Surroundings, 'output' | 'environment'>): { color: boolean; width: number } {
  const { NO_COLOR = '', TERM } = environment
  return {
    color: output.isTTY === true && NO_COLOR === '' && TERM !== 'dumb',
    width: output.columns ?? WIDTH_WITHOUT_TERMINAL,
  }
}
