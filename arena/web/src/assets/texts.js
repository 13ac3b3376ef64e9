// The texts of a page for its scripts, in its language. The names of their values stand in them in braces.
"use strict";
function leydenTexts(texts) {
  const plural = new Intl.PluralRules(document.documentElement.lang);
  // A text in parts, with strings or elements as its values.
  const parts = (key, values) => texts[key].split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : part));
  const text = (key, values) => parts(key, values).join("");
  // Of two texts about a number of things, the one that goes with this number; narrow blanks stand between its thousands.
  const counted = (one, many, number, values) => text(plural.select(number) === "one" ? one : many,
    { ...values, count: String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f") });
  return { parts, text, counted };
}
