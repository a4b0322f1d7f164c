import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { CONNECT_TO } from '../environment/connect-to.ts'
import { baseUrlIn } from '../environment/target.ts'
import { shellWord } from '../probe/curl.ts'
import { readPreviousReport } from '../reports/report-files.ts'
import { nodeDifferences } from '../runs/fleet/nodes.ts'
import { joinNames } from '../text/names.ts'
import { printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, logError, UsageError, writeOutput } from './context.ts'
import { reportsFolder } from './files.ts'
import { action as merge } from './merge.ts'
import { loadConfiguration, type PreparationOptions } from './prepare-run.ts'
import { catalogueOf, loadTarget, servicesOf } from './services.ts'

const resolveHost = async (host: string) =>
  (await lookup(host.replace(/^\[|\]$/g, ''), { all: true })).map(({ address }) => address)

/** Returns the host of the base URLs. @throws UsageError unless they have exactly one */
function findHost({ envFile, service }: PreparationOptions, context: CliContext): string {
  const { target } = loadConfiguration(loadTarget, context, envFile)
  const toError = (text: string) => new UsageError(`--each-address ${text}. Nothing was sent.`)
  if (target.probe.connectTo) throw toError(`and ${CONNECT_TO} exclude each other: unset it`)
  const names = servicesOf(target).map((key): string => catalogueOf(key).service)
  const chosen = names.filter((name) => service?.includes(name) ?? true)
  const hosts = new Set(chosen.map((name) => new URL(baseUrlIn(target, name) ?? '').hostname))
  const [host, ...others] = hosts
  if (host === undefined) throw toError('needs the base URL of a service')
  if (others.length === 0) return host
  throw toError(`needs one host, and there are ${joinNames([...hosts])}: use --service`)
}

/** Probes the addresses of the host of the base URLs one after the other, and reports differences. */
export async function runEachAddress(
  options: PreparationOptions & { reports?: string },
  context: CliContext,
  runNode: (reports: string, context: CliContext) => Promise<number>,
): Promise<number> {
  const { environment, directory, errors, program } = context
  const { reports = reportsFolder(false) } = options
  const host = findHost(options, context)
  const found = await (context.resolveHost ?? resolveHost)(host).catch((error) => {
    logError(`${host} has no address: ${systemReason(error)}.`, context)
    return []
  })
  const addresses = [...new Set(found)]
  if (addresses.length === 0) return 3
  const interruption = context.interruption(
    'Interrupted: deleting created resources, and probing no other address. Press Ctrl-C again to stop immediately.',
  )
  const interrupted = new AbortController()
  void interruption.then(() => interrupted.abort())
  const nodes = []
  const statuses: number[] = []
  for (const [index, node] of addresses.entries()) {
    if (interrupted.signal.aborted) break
    errors.write(`Address ${index + 1} of ${addresses.length}: ${node}\n`)
    // Artifacts of CI servers must not have colons.
    const folder = join(reports, node.replaceAll(':', '-'))
    const connectTo = `${host}::${isIPv6(node) ? `[${node}]` : node}:`
    const startedAt = new Date().toISOString()
    const status = await runNode(folder, {
      ...context,
      environment: { ...environment, [CONNECT_TO]: connectTo },
      program: `${CONNECT_TO}=${shellWord(connectTo)} ${program}`,
      output: { write() {} },
      interruption: () => interruption,
    })
    statuses.push(status)
    const report = readPreviousReport(resolve(directory, folder))
    // The run may have failed to replace an earlier report.
    if (report && report.run.startedAt >= startedAt) nodes.push({ node, folder, report })
  }
  if (interrupted.signal.aborted) statuses.push(3)
  const judged = nodes.filter(({ report }) => report.coverage.judged > 0).map(({ node }) => node)
  const rows = nodeDifferences(nodes).map(({ nodes: some, text, verdict, requirement }) => {
    return { some, text: `${text || verdict} (${requirement})` }
  })
  const others = addresses.filter((node) => !judged.includes(node))
  if (others.length > 0) rows.push({ some: others, text: 'nothing was judged' })
  const lines = rows.map(({ some, text }) => {
    const share = `${some.length} of ${addresses.length} addresses (${some.join(', ')})`
    return printableSentence(`${share}: ${text}`)
  })
  const none = `No difference (${counted(addresses.length, 'address', 'addresses')}).`
  writeOutput(`${lines.join('\n') || none}\n\n`, context)
  const name = nodes.map(({ folder, node }) => `${folder}=${node}`)
  const merged = { format: 'html' as const, output: join(reports, 'addresses.html'), name }
  const folders = nodes.map(({ folder }) => folder)
  if (folders.length > 0) statuses.push(await merge(folders, merged, context))
  return statuses.includes(1) ? 1 : Math.max(...statuses)
}
