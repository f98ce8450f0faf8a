/** Sentences of a paragraph, with the headings above it. */
export interface Section {
  headings: string[]
  sentences: string[]
}

const listMarker = /^(?:[-*•–]|\d+[.)]|[a-z]\))\s+/u
const maxHeadingWords = 8
/** A line of this length without a full stop goes on in the next line. */
const wrappedLength = 50

/** Splits a text into paragraphs. Headings and questions are no answers: they say what the lines below are about. */
export function splitText(text: string): Section[] {
  const sections: Section[] = []
  let [heading, intro, paragraph, isOpen] = ['', '', '', false]
  const close = () => {
    const sentences = sentencesOf(paragraph)
    const questions = sentences.filter((sentence) => sentence.endsWith('?'))
    const answers = sentences.filter((sentence) => !sentence.endsWith('?'))
    if (questions.length > 0) intro = questions.join(' ')
    if (answers.length > 0) sections.push({ headings: [heading, intro].filter(Boolean), sentences: answers })
    ;[paragraph, isOpen] = ['', false]
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  for (const line of lines) {
    const isContinued = paragraph.length > 0 && isOpen && line !== '' && !listMarker.test(line)
    if (!isContinued) close()
    if (line === '') continue
    // An introduction is about the entries of its list, a question about the paragraph after it.
    if (!isContinued && sections.at(-1)?.headings.at(-1) === intro && !listMarker.test(line)) intro = ''
    if (!isContinued && isHeading(line)) {
      if (/^#|[^:]$/.test(line)) [heading, intro] = [line.replace(/^#+\s*/, ''), '']
      else intro = line
      continue
    }
    paragraph = `${paragraph} ${line.replace(listMarker, '')}`.trim()
    isOpen = line.length >= wrappedLength && !/[.!?:;]["”)]?$/.test(line)
  }
  close()
  return sections
}

function isHeading(line: string): boolean {
  if (/^#{1,6}\s/.test(line)) return true
  if (/[.!?;|]["”)]?$/.test(line) || /^[-*•–|]/.test(line)) return false
  const words = line.replace(/^(?:§\s*)?[\d.]+[.)]?\s+/, '').split(/\s+/)
  return line.endsWith(':')
    ? words.length <= 2 * maxHeadingWords
    : words.length <= maxHeadingWords && !/\d/.test(words.join(' '))
}

/** The end of a part that is no sentence: `am 31.`, `z. B.`, `Nr.` */
const abbreviated = /(?:^|[\s(.])(?:\d{1,2}|\p{L}|nr|art|abs|ca|bzw|ggf|inkl|usw|no|st|dr|e\.g|i\.e|approx)\.$/iu

function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences.at(-1)
    if (last !== undefined && abbreviated.test(last)) sentences[sentences.length - 1] = `${last} ${segment.trim()}`
    else if (segment.trim() !== '') sentences.push(segment.trim())
  }
  return sentences
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
