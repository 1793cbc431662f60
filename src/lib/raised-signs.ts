/** Superscripts and subscripts of Unicode, so that 10⁶ does not become 106 in plain text. */

const parsePairs = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(" ").map((pair): [string, string] => [pair.charAt(0), pair.slice(1)]));

const RAISED = parsePairs(
  `0⁰ 1¹ 2² 3³ 4⁴ 5⁵ 6⁶ 7⁷ 8⁸ 9⁹ +⁺ -⁻ −⁻ =⁼ (⁽ )⁾ aᵃ bᵇ cᶜ dᵈ eᵉ fᶠ gᵍ hʰ iⁱ jʲ kᵏ lˡ mᵐ nⁿ oᵒ pᵖ rʳ sˢ tᵗ uᵘ vᵛ wʷ xˣ yʸ zᶻ ` +
    "Aᴬ Bᴮ Dᴰ Eᴱ Gᴳ Hᴴ Iᴵ Jᴶ Kᴷ Lᴸ Mᴹ Nᴺ Oᴼ Pᴾ Rᴿ Tᵀ Uᵁ Vⱽ Wᵂ",
);
const LOWERED = parsePairs(
  "0₀ 1₁ 2₂ 3₃ 4₄ 5₅ 6₆ 7₇ 8₈ 9₉ +₊ -₋ −₋ =₌ (₍ )₎ aₐ eₑ hₕ iᵢ jⱼ kₖ lₗ mₘ nₙ oₒ pₚ rᵣ sₛ tₜ uᵤ vᵥ xₓ",
);

/** Returns a text in superscript; null if it is empty or one of its characters has none. */
export const toRaised = (text: string): string | null => replaceSigns(text, RAISED);

/** Returns a text in subscript; null if it is empty or one of its characters has none. */
export const toLowered = (text: string): string | null => replaceSigns(text, LOWERED);

function replaceSigns(text: string, signs: ReadonlyMap<string, string>): string | null {
  const found = Array.from(text, (sign) => signs.get(sign));
  return text !== "" && found.every((sign) => sign !== undefined) ? found.join("") : null;
}
