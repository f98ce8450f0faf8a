import { useId, useState } from 'react'
import { CopyButton, classNames } from '../button/button.tsx'
import { escapeDirections } from '../format/untrusted-text.ts'
import styles from './values.module.css'

/** A text of a program, with a button that copies it. `wrap` for values without line breaks. */
export function CodeBlock({ code, label = 'Code', wrap = false }: { code: string; label?: string; wrap?: boolean }) {
  return (
    <div className={classNames(styles.code, wrap && styles.wrap)}>
      <span className={styles.floating}>
        <CopyButton value={code} label={`Copy ${label.toLowerCase()}`} />
      </span>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  )
}

export interface Snippet {
  /** Name of the tab: `curl`, `TypeScript`, `Python`. */
  language: string
  code: string
}

const storageKey = 'console.snippet-language'

/** The same program in several languages. The chosen language is remembered for all snippets. */
export function Snippets({ snippets, label }: { snippets: readonly Snippet[]; label: string }) {
  const id = useId()
  const [chosen, setChosen] = useState(() => localStorage.getItem(storageKey))
  const current = snippets.find(({ language }) => language === chosen) ?? snippets[0]
  if (current === undefined) return null
  const choose = (language: string) => {
    localStorage.setItem(storageKey, language)
    setChosen(language)
  }
  const move = (from: number, by: number) => {
    const next = snippets[(from + by + snippets.length) % snippets.length]
    if (next === undefined) return
    choose(next.language)
    document.getElementById(`${id}-${next.language}`)?.focus()
  }
  return (
    <div className={styles.code}>
      <div className={styles.codeHead}>
        <div className="row-1" role="tablist" aria-label={`${label}: language`}>
          {snippets.map(({ language }, index) => (
            <button
              key={language}
              id={`${id}-${language}`}
              type="button"
              role="tab"
              className={styles.codeTab}
              aria-selected={language === current.language}
              aria-controls={`${id}-code`}
              tabIndex={language === current.language ? 0 : -1}
              onClick={() => choose(language)}
              onKeyDown={({ key }) => {
                if (key === 'ArrowRight') move(index, 1)
                if (key === 'ArrowLeft') move(index, -1)
              }}
            >
              {language}
            </button>
          ))}
        </div>
        <CopyButton value={current.code} label={`Copy ${current.language}`} />
      </div>
      <pre id={`${id}-code`} role="tabpanel" tabIndex={0} aria-label={`${label}: ${current.language}`}>
        <code>{current.code}</code>
      </pre>
    </div>
  )
}

/** A JSON value as text, indented. A text that is not JSON is shown as it is. */
export function JsonView({ value, label = 'JSON' }: { value: unknown; label?: string }) {
  return (
    <CodeBlock
      code={typeof value === 'string' ? indentJson(value) : escapeDirections(JSON.stringify(value, undefined, 2))}
      label={label}
      wrap
    />
  )
}

function indentJson(text: string): string {
  try {
    return escapeDirections(JSON.stringify(JSON.parse(text), undefined, 2))
  } catch {
    return text
  }
}
