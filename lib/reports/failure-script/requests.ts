import { PASSPHRASE } from '../../probe/curl.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { RunReport } from '../../results/run-report.ts'
import { isJson } from '../../text/json.ts'
import { toPointer } from '../../text/json-pointer.ts'
import { inexpressible } from './no-script.ts'

/** Variables with a value that a run invents, and that no server accepts. */
const INVENTED = ['UNKNOWN_TOKEN', 'WRONG_KEY', 'WRONG_PASSWORD']

/** Returns the texts in JSON with their pointers. */
function textsIn(json: unknown, pointer = ''): { pointer: string; text: string }[] {
  if (typeof json === 'string') return [{ pointer, text: json }]
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) =>
    textsIn(value, pointer + toPointer([name])),
  )
}

/** Returns the pointer to a text in the JSON of a response; undefined if it has none. */
function pointerTo(text: string, { response }: ExchangeRecord): string | undefined {
  const body = response?.body ?? ''
  if (!body.includes(text) || !isJson(body)) return undefined
  return textsIn(JSON.parse(body)).find((one) => one.text === text)?.pointer
}

export const isAccepted = ({ response }: ExchangeRecord) =>
  response !== null && response.status >= 200 && response.status < 300

export const numberOf = ({ id }: ExchangeRecord) => Number(id.slice(1))

/** What a script needs to send some requests of a report. */
export class ScriptRequests {
  readonly #report: RunReport
  /** Requests that create what others need, each with JSON pointers by the variables that they fill. */
  readonly creations = new Map<ExchangeRecord, Map<string, string>>()
  /** Values of the report that are variables of the script, by their text. */
  readonly names: Map<string, string>
  /** Variables that the script requires. */
  readonly required = new Set<string>()
  /** Variables for which the script invents a value. */
  readonly invented = new Set<string>()

  constructor(report: RunReport, names: ReadonlyMap<string, string>) {
    this.#report = report
    this.names = new Map(names)
  }

  /** Adds what a request needs. @throws InexpressibleError if it cannot be repeated */
  require(exchange: ExchangeRecord): void {
    const { request } = exchange
    if (request.body === null && (request.bodyBytes ?? 0) > 0) inexpressible('notKept')
    for (const name of request.secrets ?? []) this.#requireSecret(name)
    this.#requireIds(exchange)
    if (request.url.startsWith('https:') && Object.hasOwn(this.#report.settings, PASSPHRASE)) {
      this.required.add(PASSPHRASE)
    }
  }

  #requireSecret(name: string): void {
    const { settings, exchanges } = this.#report
    const isHeader = String(settings.PROBE_HEADERS).includes(`"$${name}"`)
    if (isHeader || Object.hasOwn(settings, name)) this.required.add(name)
    else if (INVENTED.includes(name)) this.invented.add(name)
    else {
      const source = exchanges.find((one) => isAccepted(one) && one.secrets?.includes(name))
      const pointer = source && pointerTo(`$${name}`, source)
      if (source === undefined || pointer === undefined) {
        inexpressible(name.includes('ONE_TIME_CODE') ? 'oneTimeCode' : 'secretOfTheRun')
      }
      this.#create(source, name, pointer)
    }
  }

  /** Adds the requests whose responses have ids that are in the path of this one. */
  #requireIds(exchange: ExchangeRecord): void {
    const { exchanges, settings, run } = this.#report
    const known = new Set(Object.values(settings).flatMap((one) => String(one).split('/')))
    const sources = exchanges.filter((one) => {
      return one.request.method !== 'GET' && isAccepted(one) && numberOf(one) < numberOf(exchange)
    })
    for (const id of new URL(exchange.request.url).pathname.split('/')) {
      if (id.length <= 5 || known.has(id) || this.names.has(id) || id.includes(run.id)) continue
      const source = sources.find((one) => pointerTo(id, one) !== undefined)
      if (source === undefined) continue
      const name = `CREATED_ID_${this.names.size}`
      this.names.set(id, name)
      this.#create(source, name, pointerTo(id, source))
    }
  }

  /** Adds the request that created something with the name of this one. */
  requireSameName(exchange: ExchangeRecord): void {
    const names = this.generatedNames(exchange)
    const source = this.#report.exchanges.find(
      (one) =>
        numberOf(one) < numberOf(exchange) &&
        one.request.method === 'POST' &&
        isAccepted(one) &&
        this.generatedNames(one).some((name) => names.includes(name)),
    )
    if (source !== undefined) this.#create(source)
  }

  #create(source: ExchangeRecord, variable?: string, pointer = ''): void {
    const variables = this.creations.get(source)
    const all = variables ?? new Map<string, string>()
    if (variable !== undefined) all.set(variable, pointer)
    this.creations.set(source, all)
    if (variables === undefined) this.require(source)
  }

  generatedNames({ request: { url, body } }: ExchangeRecord): string[] {
    const { id } = this.#report.run
    return `${url} ${body ?? ''}`.match(new RegExp(`plumbline-${id}[\\w-]*`, 'g')) ?? []
  }

  /** Returns the deletions of what requests created. @param before a request that they precede */
  deletions(created: readonly ExchangeRecord[], before?: ExchangeRecord): ExchangeRecord[] {
    const names = created
      .filter(({ request }) => request.method === 'POST')
      .flatMap((one) => this.generatedNames(one))
    const found = new Map<string, ExchangeRecord>()
    for (const one of this.#report.exchanges) {
      const [name] = one.request.method === 'DELETE' ? this.generatedNames(one) : []
      if (name === undefined || !names.includes(name) || found.has(name)) continue
      if (before !== undefined && numberOf(one) > numberOf(before)) continue
      // A deletion with a one-time code follows one without it.
      if (one.request.secrets?.every((secret) => Object.hasOwn(this.#report.settings, secret))) {
        found.set(name, one)
      }
    }
    const all = [...found.values()]
    for (const one of all) this.require(one)
    return all
  }
}
