const byId = (id) => document.getElementById(id)
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const [search, shown] = [byId('search'), byId('shown')]
const total = shown.textContent
const filters = all('.filter')
const isPressed = (button) => button.getAttribute('aria-pressed') === 'true'
const textOf = ({ textContent }) => textContent.toLowerCase()

/** Shows the requirements that match, and the sections that have some of them. */
const update = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const verdicts = filters.filter(isPressed).map(({ dataset }) => dataset.verdict)
  const isNarrowed = words.length + verdicts.length > 0
  for (const row of all('.requirement')) {
    const text = all('.searched', row).map(textOf).join('\n')
    const hasVerdict = verdicts.length === 0 || verdicts.includes(row.dataset.verdict)
    row.hidden = !hasVerdict || !words.every((word) => text.includes(word))
  }
  for (const entry of all('.listed')) entry.hidden = isNarrowed
  for (const holder of all('.part, .service, .section')) {
    const content = holder.querySelector(':is(.requirement, .listed):not([hidden])')
    holder.hidden = isNarrowed && content === null
    if (holder.matches('details')) holder.open = isNarrowed
  }
  const count = all('.requirement:not([hidden])').length
  byId('nothing-shown').hidden = count > 0 || !isNarrowed
  shown.textContent = isNarrowed ? `${count} of ${total} shown` : total
}

const showAll = () => {
  search.value = ''
  for (const button of filters) button.setAttribute('aria-pressed', 'false')
  update()
}

/** Shows the target of the fragment, even if it is hidden or folded. */
const reveal = () => {
  const target = byId(location.hash.slice(1))
  if (target?.closest('[hidden]')) showAll()
  for (let one = target; one; one = one.parentElement) if (one.matches('details')) one.open = true
  target?.querySelector(':scope > .fold')?.setAttribute('open', '')
  target?.scrollIntoView()
}

const copyCommand = (button) => {
  getSelection().selectAllChildren(button.closest('.repeat').querySelector('pre code'))
  // Also works without a secure context, such as in a page that was opened as a file.
  const isCopied = document.execCommand('copy')
  button.textContent = isCopied ? 'Copied' : 'Selected: copy it with your keyboard'
  shown.textContent = button.textContent
}

document.addEventListener('click', ({ target }) => {
  if (target.matches('.copy')) copyCommand(target)
  // A link to the current fragment causes no hashchange event.
  if (target.closest('a')?.hash === location.hash) reveal()
  const filter = target.closest('.filter')
  filter?.setAttribute('aria-pressed', String(!isPressed(filter)))
  if (filter) update()
})
search.addEventListener('input', update)
byId('show-all').addEventListener('click', showAll)
addEventListener('hashchange', reveal)
for (const element of all('.controls, .copy')) element.hidden = false
update()
reveal()
