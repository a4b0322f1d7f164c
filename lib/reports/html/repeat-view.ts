import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { isVariableName } from '../../target/variables.ts'
import { curlCommand, secretVariables } from '../curl.ts'
import { printableLine, printableText } from '../printable.ts'
import { html, joined, type Markup } from './markup.ts'

const longestCommand = 16_384

function names(variables: readonly string[]): Markup {
  return joined(
    variables.map((name) => html`<code>${name}</code>`),
    ', ',
  )
}

function variablesNote(command: string): Markup {
  const variables = secretVariables(command)
  if (variables.length === 0) return html``
  const configured = variables.filter(isVariableName)
  const made = variables.filter((name) => !isVariableName(name))
  return html`<p class="note">Set first:${configured.length === 0 ? '' : html` ${names(configured)}, as it was for the run${made.length === 0 ? '.' : ';'}`}${made.length === 0 ? '' : html` ${names(made)}, which the run made for itself: take one of your own of the same kind.`}</p>`
}

function bodyNote({ request }: ExchangeRecord): Markup {
  return request.body === null && (request.bodyBytes ?? 0) > 0
    ? html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n`
    : html``
}

/**
 * The command that repeats an exchange, with a button that copies it and the variables that it
 * needs. What is copied is what is seen, written out where it could steer a terminal.
 */
export function repeatView(exchange: ExchangeRecord): Markup {
  const command = printableText(curlCommand(exchange))
  if (command.length > longestCommand) {
    return html`<p class="note">The command that repeats it has ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>Repeat it <button type="button" class="copy" aria-label="Copy the command of ${printableLine(exchange.id)}" hidden>Copy</button></p>
<pre><code>${command}</code></pre>
${bodyNote(exchange)}${variablesNote(command)}</div>`
}
