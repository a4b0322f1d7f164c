import { doctorsOf, loadTarget } from '../cli/services.ts'
import { startReference, type Variant } from '../test-bed/reference/index.ts'
import { type Examination, examine } from './examine.ts'

/** Request that the reference server received. */
interface SeenRequest {
  method: string
  /** Empty without the field. */
  authorization: string
}

export interface Examined extends Examination {
  seen: SeenRequest[]
  environment: Record<string, string>
  /** Texts of the findings of these kinds. */
  texts(...kinds: string[]): string[]
}

type Environment = Record<string, string>

/** Examines the target of an environment. */
export async function examineEnvironment(environment: Environment): Promise<Examination> {
  const loaded = loadTarget({ environment, directory: '/no-such-directory' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const { target, secrets } = loaded
  const run = { runId: 'test', version: 'test', target, secrets }
  const settings = { ...run, embedded: false, selected: [], checks: [] }
  return examine(settings, await doctorsOf(target))
}

/** Examines a reference server. @param change modifies the environment */
export async function examineReference(
  variant: Omit<Variant, 'name'> = {},
  change: (environment: Environment) => Environment = (environment) => environment,
): Promise<Examined> {
  const received: SeenRequest[] = []
  const reference = await startReference({
    variant: {
      name: 'examined',
      ...variant,
      intermediary: () => {
        const before = variant.intermediary?.()
        return async (request, respond) => {
          const authorization = request.headers.get('authorization') ?? ''
          received.push({ method: request.method, authorization })
          return before === undefined ? respond(request) : before(request, respond)
        }
      },
    },
  })
  try {
    const environment = change(reference.environment)
    const examination = await examineEnvironment(environment)
    const texts = (...kinds: string[]) =>
      examination.findings.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    return { ...examination, seen: received, environment, texts }
  } finally {
    await reference.close()
  }
}

/** Returns the requests with the password of an account. */
export function withPasswordOf(
  { seen, environment }: Examined,
  prefix: 'CODE_HOSTING' | 'CODE_HOSTING_OTP' | 'CODE_HOSTING_OTHER' | 'CODE_HOSTING_ADMIN',
): SeenRequest[] {
  const credentials = `${environment[`${prefix}_USERNAME`]}:${environment[`${prefix}_PASSWORD`]}`
  const value = `Basic ${Buffer.from(credentials).toString('base64')}`
  return seen.filter(({ authorization }) => authorization === value)
}
