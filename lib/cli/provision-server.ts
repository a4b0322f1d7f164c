import { TransportError } from '../probe/exchange.ts'
import { describeFurnishing, describeRemoval } from '../provision/describe-plan.ts'
import { environmentText, otherSettings } from '../provision/environment-text.ts'
import { furnish } from '../provision/furnish.ts'
import { furnishPlan } from '../provision/furnish-plan.ts'
import { createGiteaClient, type GiteaClient } from '../provision/gitea-client.ts'
import { accountName } from '../provision/names.ts'
import { Refusal, Stopped } from '../provision/refusal.ts'
import { removalPlan, remove } from '../provision/remove.ts'
import { createRequests, type Requests } from '../provision/requests.ts'
import { survey } from '../provision/survey.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { secretsOf } from '../target/secrets.ts'
import { safeForTerminal } from './defects.ts'
import { type Dialogue, processDialogue } from './dialogue.ts'
import { type OutputFile, prepareOutputFile } from './output-file.ts'
import { type ProvisionTarget, provisionTarget } from './provision-target.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

export interface ProvisionOptions {
  family: 'gitea'
  prefix: string
  remove?: boolean
  yes?: boolean
  output?: string
  overwrite?: boolean
  includeAdmin?: boolean
  envFile?: string
}

const DONE = 0
const REFUSED = 1
const NOT_DONE = 3

/** @throws UsageError */
function checkOptions({ remove: removes, output, overwrite, includeAdmin }: ProvisionOptions) {
  if (removes && (output !== undefined || overwrite || includeAdmin)) {
    throw new UsageError('--remove writes no environment file: leave the other options out.')
  }
  if (overwrite && output === undefined) {
    throw new UsageError('--overwrite needs --output, which names the file.')
  }
}

interface Work {
  options: ProvisionOptions
  target: ProvisionTarget
  client: GiteaClient
  requests: Requests
  /** Shows a text to the person. */
  tell: (text: string) => void
  /** Whether to go on. */
  agreed: () => Promise<boolean>
  /** Whether it went on, so that something may have been changed. */
  hasBegun: boolean
  /** Hands the environment file over, and returns the exit status. */
  write: (text: string) => number
}

async function runRemoval({ options, target, client, tell, agreed }: Work): Promise<number> {
  const found = await survey(client, options.prefix)
  const plan = removalPlan(found)
  if (plan.accounts.length + plan.repositories.length === 0) {
    for (const sentence of plan.leftAlone) tell(`Left alone: ${sentence}.\n`)
    const nothing = `Nothing that provision made with the prefix ${options.prefix} is there.`
    tell(`${plan.mainStays ?? nothing}\n`)
    return plan.mainStays === undefined ? DONE : REFUSED
  }
  tell(describeRemoval(found, plan, target.codeHosting.baseUrl))
  if (!(await agreed())) return NOT_DONE
  const kept = await remove(plan, client, (sentence) => tell(`${sentence}\n`))
  for (const sentence of kept) tell(`${sentence}\n`)
  return kept.length === 0 ? DONE : REFUSED
}

async function runFurnishing(work: Work): Promise<number> {
  const { options, target, client, requests, tell, agreed, write } = work
  const { baseUrl, otp } = target.codeHosting
  const found = await survey(client, options.prefix)
  const knownSecret = otp?.username === accountName(options.prefix, 'otp') ? otp.secret : undefined
  const plan = furnishPlan(found, knownSecret !== undefined)
  tell(describeFurnishing(found, plan, baseUrl))
  if (!(await agreed())) return NOT_DONE
  const furnished = await furnish(found, plan, {
    client,
    requests,
    tell: (sentence) => tell(`${sentence}\n`),
    knownSecret,
  })
  const { username, enrolment } = furnished.otp
  if ('reason' in enrolment) {
    tell(
      `Two-factor authentication of ${username} could not be turned on: ${enrolment.reason}.\n` +
        'The environment file says how to do it by hand. A repeat keeps it when the three CODE_HOSTING_OTP_ variables are set.\n',
    )
  }
  if ('secret' in enrolment && enrolment.field === 'X-Gitea-OTP') {
    tell(
      'The server takes one-time codes in X-Gitea-OTP, and not in X-Service-OTP, where the document has them.\n' +
        `What needs ${username} cannot be judged: the environment file has it as a comment.\n`,
    )
  }
  if (otherSettings(found.settings).length > 0) {
    tell(
      'The server says that some of its settings are not those of the document: see the end of the environment file.\n',
    )
  }
  return write(
    environmentText(furnished, {
      baseUrl,
      settings: found.settings,
      ...(options.includeAdmin ? { admin: target.admin } : {}),
    }),
  )
}

/** Where the environment file goes, and what a person is told of it. */
function handOver(
  file: OutputFile | undefined,
  output: ProgressStream,
  tell: Work['tell'],
): Work['write'] {
  return (text) => {
    if (file === undefined) {
      output.write(text)
      return DONE
    }
    try {
      file.write(text)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      tell(
        `plumbline: everything was made, but ${file.path} could not be written (${code}). ` +
          'A repeat sets new passwords and writes them.\n',
      )
      return REFUSED
    }
    tell(`Wrote the environment file ${file.path}.\n`)
    return DONE
  }
}

/** What went wrong at the server or with it, as an exit status; anything else is a defect. */
function explain(error: unknown, { options, tell, hasBegun }: Work): number {
  if (error instanceof Refusal) {
    tell(`plumbline: ${error.message}\n`)
    return REFUSED
  }
  if (error instanceof Stopped || error instanceof TransportError) {
    const rest = options.remove ? '' : ', --remove takes it away'
    const changes = hasBegun
      ? `What was done stays: a repeat goes on from there${rest}`
      : 'Nothing was changed'
    tell(`plumbline: ${error.message}. ${changes}.\n`)
    return NOT_DONE
  }
  throw error
}

/**
 * Makes on a server of the Gitea family what full coverage needs, or takes it away again.
 *
 * @returns the exit status: 1 when the server refused something, 3 when it was stopped or the server
 * could not be reached
 * @throws UsageError before anything is sent
 */
export async function provision(
  options: ProvisionOptions,
  surroundings: Surroundings = processSurroundings(),
  { confirm, interruption }: Dialogue = processDialogue(),
): Promise<number> {
  const { errors, output, redactor, directory } = surroundings
  checkOptions(options)
  const target = provisionTarget(options.envFile, surroundings)
  const { codeHosting, limits, admin } = target
  for (const { name, value } of secretsOf({ codeHosting, probe: limits })) redactor.add(name, value)
  redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  if (!options.yes && confirm === undefined) {
    throw new UsageError(
      'Nobody can be asked, since standard input is no terminal: --yes goes on without a question. ' +
        'Nothing was sent.',
    )
  }
  const file =
    options.output === undefined
      ? undefined
      : prepareOutputFile(directory, options.output, options.overwrite)
  const tell = (text: string) => errors.write(safeForTerminal(text, redactor))
  const signal = interruption()
  const requests = createRequests({
    baseUrl: codeHosting.baseUrl,
    limits,
    userAgent: `plumbline/${version}`,
    redactor,
    interruption: signal,
  })
  const work: Work = {
    options,
    target,
    requests,
    client: createGiteaClient(requests, admin),
    tell,
    async agreed() {
      work.hasBegun = options.yes === true || (await confirm?.('Go on? [y/N] ', signal)) === true
      if (!work.hasBegun) tell('Nothing was changed.\n')
      return work.hasBegun
    },
    hasBegun: false,
    write: handOver(file, output, tell),
  }
  try {
    return options.remove ? await runRemoval(work) : await runFurnishing(work)
  } catch (error) {
    return explain(error, work)
  } finally {
    await requests.close()
  }
}
