import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

// In the order of the cascade: a later one may overrule an earlier one.
const styles = [
  'colors',
  'text',
  'verdicts',
  'run-header',
  'controls',
  'failures',
  'exchanges',
  'rows',
  'sections',
  'lists',
  'listed',
  'history',
  'narrow',
  'print',
  'hidden',
]

/** The style of the page, as it stands between `<style>` and `</style>`. */
export const pageStyle = styles.map((name) => asset(`style/${name}.css`)).join('\n')

/** The script of the page, as it stands between `<script type="module">` and `</script>`. */
export const pageScript = asset('page-script.js')

function source(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}

/** The style of another page, which has further rules in `style/` under that name. */
export function extendedStyle(name: string): string {
  return `${pageStyle}\n${asset(`style/${name}.css`)}`
}

/**
 * The content security policy of a page (CSP Level 3): its own style and script and nothing else,
 * so that nothing can be loaded, sent or run, whatever a response body tries.
 */
export function contentSecurityPolicy(own: { style: string; script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${source(own.style)}`,
    ...(own.script === undefined ? [] : [`script-src ${source(own.script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
