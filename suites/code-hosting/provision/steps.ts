import type { ProvisionWork } from '../../../lib/conformance/provisioner.ts'
import type { Resource } from './resources.ts'

/** A change of a resource. */
export interface Step {
  label: string
  resource: Resource
  /** Returns false if the server rejects only this change. */
  act: () => Promise<boolean>
}

/** Formats each label with its names, of which the first three are shown. */
function formatSteps(steps: readonly Step[]): string {
  const lines = [...new Set(steps.map(({ label }) => label))].map((label) => {
    const names = steps.filter((step) => step.label === label).map(({ resource }) => resource.name)
    const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return `  ${label.padEnd(14)}${names.slice(0, 3).join(', ')}${rest}\n`
  })
  return lines.join('')
}

/** Shows a plan, and carries it out on consent. Returns the rejected steps; undefined without consent. */
export async function carryOut(
  action: string,
  steps: readonly Step[],
  notes: string,
  { target, confirm, log }: ProvisionWork,
): Promise<readonly Step[] | undefined> {
  const { codeHosting } = target
  log(
    `At ${codeHosting?.baseUrl}, as the site administrator ${codeHosting?.admin?.username}, provision ${action}:\n` +
      formatSteps(steps) +
      notes +
      'This uses endpoints of servers of the Gitea family that are not part of the documents that\n' +
      'Plumbline checks.\n',
  )
  if (!(await confirm())) {
    log('Nothing was changed.\n')
    return undefined
  }
  const done: Step[] = []
  const isLeft = (step: Step) => !done.includes(step)
  try {
    for (const step of steps) if (await step.act()) done.push(step)
  } finally {
    const left = formatSteps(steps.filter(isLeft))
    log(`Done:\n${formatSteps(done)}${left && `Not done:\n${left}`}`)
    if (left) log('A repeated command continues, and --remove deletes what was created.\n')
  }
  return steps.filter(isLeft)
}
