/** Adding these up has no meaning. */
export const isRate = (field: string): boolean =>
  /rate|(?<!du)ratio|percent|share|average|avg|mean|score|temperature|humidity|quote|anteil|prozent|temperatur|price|preis|(?:^|_)age$/i.test(
    field,
  )

/** Returns true for what is spent or used up: `costs in May` are those of all records. */
export const isAdded = (field: string): boolean =>
  !isRate(field) && /cost|kosten|expense|consumption|verbrauch|kwh|mwh|fee|gebuhr|gebühr|revenue|umsatz/i.test(field)

/** Returns true for money that a record cost as a whole. */
export const isSpent = (field: string): boolean =>
  !isRate(field) && /cost|kosten|expense|fee|gebuhr|gebühr|amount|betrag/i.test(field)

/** Returns true for a number of things, of which one record may have many. */
export const isQuantity = (field: string): boolean =>
  /quantit|units|count|copies|stock|pieces|menge|stuck|anzahl|bestand/i.test(field)
