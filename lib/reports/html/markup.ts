import { html } from 'hono/html'

export { html, raw } from 'hono/html'

/** HTML in which every value has been escaped: what the `html` template gives. */
export type Markup = ReturnType<typeof html>

/** Pieces of HTML with a separator between each two, which is escaped like any text. */
export function joined(pieces: readonly Markup[], separator: string): Markup {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
}
