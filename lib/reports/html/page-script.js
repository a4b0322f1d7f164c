const byId = (id) => document.getElementById(id)
const search = byId('search')
const filters = [...document.querySelectorAll('.filter')]
const isPressed = (button) => button.getAttribute('aria-pressed') === 'true'
const textOf = ({ textContent }) => textContent.toLowerCase()
const rows = Array.from(document.querySelectorAll('.requirement'), (element) => {
  return { element, text: [...element.querySelectorAll('.searched')].map(textOf).join('\n') }
})

/** Shows the requirements that match, and what holds some of them. */
const update = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const verdicts = filters.filter(isPressed).map(({ dataset }) => dataset.verdict)
  const isNarrowed = words.length + verdicts.length > 0
  for (const { element, text } of rows) {
    const hasVerdict = verdicts.length === 0 || verdicts.includes(element.dataset.verdict)
    element.hidden = !hasVerdict || !words.every((word) => text.includes(word))
  }
  const isShown = (id) => byId(id)?.closest('.requirement')?.hidden === false
  for (const entry of document.querySelectorAll('.listed'))
    entry.hidden = isNarrowed && !entry.dataset.about?.split(' ').some(isShown)
  for (const holder of document.querySelectorAll('.part, .service, .section')) {
    const isEmpty =
      holder.querySelector('.requirement:not([hidden]), .listed:not([hidden])') === null
    holder.hidden = isNarrowed && isEmpty
    if (holder.matches('details')) holder.open = isNarrowed
  }
  const count = rows.filter(({ element }) => !element.hidden).length
  const all = rows.length === 1 ? '1 requirement' : `${rows.length} requirements`
  byId('nothing-shown').hidden = count > 0 || !isNarrowed
  byId('shown').textContent = isNarrowed ? `${count} of ${all} shown` : all
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
  for (const fold of target?.querySelectorAll(':scope > .fold') ?? []) fold.open = true
  target?.scrollIntoView()
}

const copyCommand = (button) => {
  getSelection().selectAllChildren(button.closest('.repeat').querySelector('pre code'))
  // Also works without a secure context, such as in a page that was opened as a file.
  const isCopied = document.execCommand('copy')
  button.textContent = isCopied ? 'Copied' : 'Selected: copy it with your keyboard'
  byId('shown').textContent = button.textContent
}

document.addEventListener('click', ({ target }) => {
  if (target.matches('.copy')) copyCommand(target)
  if (!target.closest('.contents')) document.querySelector('.contents details').open = false
  // A link to the current fragment causes no hashchange event.
  if (target.closest('a')?.hash === location.hash) reveal()
  const filter = target.closest('.filter')
  filter?.setAttribute('aria-pressed', String(!isPressed(filter)))
  if (filter) update()
})
search.addEventListener('input', update)
byId('show-all').addEventListener('click', showAll)
addEventListener('hashchange', reveal)
for (const element of document.querySelectorAll('.controls, .copy')) element.hidden = false
update()
reveal()
