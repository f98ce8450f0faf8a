import type { Citation } from '@wp/contracts'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { SafeLink } from '../../ui/values/values.tsx'
import styles from './answer-text.module.css'
import { RecordLink } from './citations.tsx'
import { type Block, type Inline, parseAnswer, parseInline } from './parse-answer.ts'

/** The text of an answer: Markdown as elements, never as HTML; markers of citations open their records. */
export function AnswerText({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const blocks = useMemo(() => parseAnswer(text), [text])
  const inline = (line: string) => <InlineText text={line} citations={citations} />
  return (
    <div className={styles.answer}>
      {blocks.map((block, index) => (
        <div key={`${index + 1}`}>{renderBlock(block, inline)}</div>
      ))}
    </div>
  )
}

/** Headings of an answer are bold lines: they do not belong to the outline of the page. */
function renderBlock(block: Block, inline: (text: string) => ReactNode): ReactNode {
  if (block.type === 'rule') return <hr />
  if (block.type === 'code') return <CodeBlock code={block.text} />
  if (block.type === 'heading') return <p className={styles.heading}>{inline(block.text)}</p>
  if (block.type === 'quote') return <blockquote className={styles.quote}>{inline(block.text)}</blockquote>
  if (block.type === 'table') return <AnswerTable {...block} inline={inline} />
  if (block.type === 'paragraph') return <p>{inline(block.text)}</p>
  const items = block.items.map((item, index) => <li key={`${index + 1}`}>{inline(item)}</li>)
  return block.isOrdered ? (
    <ol className={styles.list} start={block.start}>
      {items}
    </ol>
  ) : (
    <ul className={styles.list}>{items}</ul>
  )
}

function AnswerTable({
  header,
  rows,
  inline,
}: {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  inline: (text: string) => ReactNode
}) {
  return (
    <section className={styles.tableWrap} aria-label="Table of the answer" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={`${column + 1}`} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index + 1}`}>
              {row.map((cell, column) => (
                <td key={`${column + 1}`}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function InlineText({ text, citations }: { text: string; citations: readonly Citation[] }) {
  return parseInline(text).map((piece, index) => (
    <InlinePiece key={`${index + 1}`} piece={piece} citations={citations} />
  ))
}

function InlinePiece({ piece, citations }: { piece: Inline; citations: readonly Citation[] }) {
  if (piece.type === 'strong') return <strong>{piece.text}</strong>
  if (piece.type === 'emphasis') return <em>{piece.text}</em>
  if (piece.type === 'code') return <code>{piece.text}</code>
  if (piece.type === 'link') return <SafeLink address={piece.url}>{piece.text}</SafeLink>
  if (piece.type === 'text') return piece.text
  const citation = citations.find(({ index }) => index === piece.index)
  if (citation === undefined) return `[${piece.index}]`
  return (
    <RecordLink
      recordId={citation.record_id}
      className={styles.marker}
      label={`Source ${citation.index}: ${citation.title ?? citation.key}`}
    >
      {citation.index}
    </RecordLink>
  )
}
