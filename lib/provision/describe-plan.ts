import type { FurnishPlan } from './furnish-plan.ts'
import { accountName, repositoryCount } from './names.ts'
import type { RemovalPlan } from './remove.ts'
import type { Survey } from './survey.ts'

const width = 14

function row(label: string, text: string): string {
  return `  ${label.padEnd(width)}${text}`
}

/** `a, b, c and 48 more` */
function some(names: readonly string[], most = 3): string {
  const rest = names.length - most
  return rest <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${rest} more`
}

function rows(label: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [row(label, some(names))]
}

function place({ admin }: Survey, baseUrl: string): string {
  return `At ${baseUrl}, as the site administrator ${admin}`
}

const undocumented =
  'This uses the API and the sign-in pages of servers of the Gitea family. None of it is in the documents\n' +
  'by which Plumbline judges.'

/** What `furnish` is about to do, for a person to agree to. */
export function describeFurnishing(survey: Survey, plan: FurnishPlan, baseUrl: string): string {
  const { accounts, missing, different, repositories } = plan
  const owner = accountName(plan.prefix, 'main')
  const kept = repositories.length - missing.length - different.length
  const named = (wanted: readonly { name: string }[]) =>
    wanted.map(({ name }) => `${owner}/${name}`)
  return [
    `${place(survey, baseUrl)}, plumbline provision makes:`,
    ...rows(
      'accounts',
      accounts.filter(({ there }) => !there).map(({ name }) => name),
    ),
    ...rows(
      'new passwords',
      accounts.filter(({ there }) => there).map(({ name }) => name),
    ),
    ...(plan.unknownCodes
      ? [row('made anew', `${accountName(plan.prefix, 'otp')}, if it uses one-time codes already`)]
      : []),
    ...rows('repositories', named(missing)),
    ...rows('changes', named(different)),
    ...(kept === 0 ? [] : [row('kept', `${repositoryCount(kept)} there already`)]),
    ...(plan.fillsPages
      ? []
      : [
          row('note', `${repositories.length} repositories do not fill two pages of this server:`),
          row('', 'what needs more pages is skipped in a run'),
        ]),
    undocumented,
    '',
  ].join('\n')
}

/** What `remove` is about to do, for a person to agree to. */
export function describeRemoval(survey: Survey, plan: RemovalPlan, baseUrl: string): string {
  const { main, accounts, repositories, leftAlone } = plan
  return [
    `${place(survey, baseUrl)}, plumbline provision deletes what it made:`,
    ...rows('accounts', accounts),
    ...rows(
      'repositories',
      repositories.map((name) => `${main}/${name}`),
    ),
    ...leftAlone.map((sentence) => row('left alone', sentence)),
    undocumented,
    '',
  ].join('\n')
}
