const rows = [...document.querySelectorAll('.requirement')].map((element) => ({
  element,
  verdict: element.dataset.verdict,
  text: [...element.querySelectorAll('.searched')]
    .map(({ textContent }) => textContent)
    .join('\n')
    .toLowerCase(),
}))
const search = document.getElementById('search')
const shown = document.getElementById('shown')
const filters = [...document.querySelectorAll('.filter')]

/** Elements that are hidden if they have no matching requirement. */
const holders = document.querySelectorAll('.part, .card, .group, .service, .section')

/** States of holders before a search; empty without a search. */
const openBefore = new Map()

const pressedFilters = () =>
  filters.filter((button) => button.getAttribute('aria-pressed') === 'true')

const isNarrowed = () => search.value.trim() !== '' || pressedFilters().length > 0

const update = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const pressed = pressedFilters()
  const verdicts = pressed.flatMap(({ dataset: { verdict = [] } }) => verdict)
  let count = 0
  for (const { element, verdict, text } of rows) {
    const matches =
      (verdicts.length === 0 || verdicts.includes(verdict)) &&
      words.every((word) => text.includes(word))
    element.hidden = !matches
    if (matches) count += 1
  }
  const narrowed = isNarrowed()
  for (const holder of holders) {
    const empty = holder.querySelector('.requirement:not([hidden])') === null
    holder.hidden = narrowed && empty
    if (!openBefore.has(holder)) openBefore.set(holder, holder.open)
    holder.open = narrowed ? !empty : openBefore.get(holder)
  }
  if (!narrowed) openBefore.clear()
  document.getElementById('nothing-shown').hidden = count > 0 || !narrowed
  const all = rows.length === 1 ? '1 requirement' : `${rows.length} requirements`
  shown.textContent = narrowed ? `${count} of ${all} shown` : all
}

const showAll = () => {
  search.value = ''
  for (const button of filters) button.setAttribute('aria-pressed', 'false')
  update()
}

/** Shows the target of the fragment, even if it is hidden or folded. */
const reveal = () => {
  // Browsers encode no character of an anchor.
  const target = document.getElementById(location.hash.slice(1))
  if (target === null) return
  if (target.closest('[hidden]') !== null) showAll()
  for (let element = target; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
  }
  const folds = target.querySelectorAll(':scope > :is(.evidence, .observed)')
  for (const fold of folds) fold.open = true
  target.scrollIntoView()
}

const copyCommand = async (button) => {
  const code = button.closest('.repeat').querySelector('pre code')
  let copied = true
  try {
    await navigator.clipboard.writeText(code.textContent)
  } catch {
    // Without a secure context, and in some frames, only the older method works.
    getSelection().selectAllChildren(code)
    copied = document.execCommand('copy')
  }
  button.textContent = copied ? 'Copied' : 'Selected: copy it with your keyboard'
  shown.textContent = button.textContent
  setTimeout(() => {
    button.textContent = 'Copy'
    update()
  }, 2000)
}

document.addEventListener('click', ({ target }) => {
  const filter = target.closest('.filter')
  if (filter !== null) {
    filter.setAttribute('aria-pressed', String(filter.getAttribute('aria-pressed') !== 'true'))
    update()
  }
  const copy = target.closest('.copy')
  if (copy !== null) copyCommand(copy)
  const menu = document.querySelector('.contents details')
  if (target.closest('.contents a') !== null || target.closest('.contents') === null)
    menu.open = false
  // A link to the current fragment causes no hashchange event.
  if (target.closest('a')?.hash === location.hash) reveal()
})

search.addEventListener('input', update)
document.getElementById('show-all').addEventListener('click', () => {
  showAll()
  search.focus()
})
addEventListener('hashchange', reveal)

for (const element of document.querySelectorAll('.controls, .copy')) element.hidden = false
update()
reveal()
