import { Redactor } from '../probe/redaction/redaction.ts'
import type { CliContext } from './context.ts'
import type { Suites } from './suite-runner.ts'

/** Creates the context of a nested run: an empty environment, and output captured in memory. */
export function createNestedContext(directory: string, suites?: Suites) {
  const reported = { output: '', errors: '' }
  const capture = (name: keyof typeof reported) => ({
    write: (text: string) => {
      reported[name] += text
    },
  })
  return {
    environment: {},
    directory,
    program: 'plumbline',
    output: capture('output'),
    errors: capture('errors'),
    redactor: new Redactor(),
    interruption: () => new Promise<never>(() => {}),
    ...(suites === undefined ? {} : { suites }),
    reported,
  } satisfies CliContext & { reported: object }
}
