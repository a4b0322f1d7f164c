import { notSelected } from '../assemble-report.ts'

const variable = '(?:CODE_HOSTING|EVENT_PUBLISHING|INCIDENT_STATUS|PROBE)(?:_[A-Z0-9]+)+'

const notSet = new RegExp(
  `(${variable}(?:(?:, | and | or | \\(or )${variable}\\)?)*) (?:is|are) not set`,
)
const isSetTo = new RegExp(`(${variable}) is (true|false)`)
const mayName = new RegExp(`(${variable}) may name one`)
const seeRequirement = /\bsee ([a-z0-9-]+(?:\/[a-z0-9-]+){2,})/

function otherSetting(name: string, value: string): string {
  const other = value === 'true' ? 'false' : 'true'
  return name.startsWith('PROBE_')
    ? `Set ${name}=${other} where that does no harm.`
    : `Judged on a server that is set the other way: then say so with ${name}=${other}.`
}

/** What would have a requirement judged that was skipped for this reason, in one sentence. */
export function howToJudge(reason: string): string {
  if (reason === notSelected) {
    return 'Run without --requirement, or with a pattern that selects it.'
  }
  if (reason.startsWith('cannot be tested: ')) {
    return 'No setting changes that: nothing that the document shows would tell.'
  }
  const missing = notSet.exec(reason)
  if (missing?.[1] !== undefined) return `Set ${missing[1]}.`
  const setting = isSetTo.exec(reason)
  if (setting?.[1] !== undefined) return otherSetting(setting[1], setting[2] ?? '')
  const naming = mayName.exec(reason)
  if (naming?.[1] !== undefined) return `Set ${naming[1]} and what belongs to it.`
  const requirement = seeRequirement.exec(reason)
  if (requirement?.[1] !== undefined) return `Look at ${requirement[1]} first.`
  if (reason.startsWith('no control: ')) {
    return 'The same request made properly has to succeed first.'
  }
  if (reason.startsWith('needs ')) return 'Let the target have what it needs, and run again.'
  return 'No setting changes that: this run gave no occasion to judge it.'
}
