/** Returns the cells of a row. */
export const rowOf = (index: number) => ({
  ts: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  room: `room ${index % 500}`,
  people: String(index % 97),
  note: `some, "quoted" text ${index}`,
  id: String(index),
})

/** Generates chunks of a CSV file. */
export function* generateCsv(rows: number): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = 'ts,room,people,note,id\n'
  for (let index = 0; index < rows; index++) {
    const { ts, room, people, note, id } = rowOf(index)
    text += `${ts},${room},${people},"${note.replaceAll('"', '""')}",${id}\n`
    if (text.length < 65_536 && index + 1 < rows) continue
    yield encoder.encode(text)
    text = ''
  }
}
