/** The texts of sites in all supported languages. Those of subscribing are in domain/subscribing-words.ts. */
import { fillPlaces, getWords, type Languages } from "../../lib/words.ts";

const EN = {
  skip: "Skip to content",
  menu: "Menu",
  languages: "Languages",
  search: "Search",
  email: "Your email address",
  subscribe: "Subscribe",
  found: "Articles with “{q}”",
  none: "No articles found.",
  empty: "Nothing has been published here yet.",
  archive: "All articles",
  newer: "Newer",
  older: "Older",
  minutes: "{n} min read",
  updated: "Updated {date}",
  contents: "Contents",
  feed: "Feed",
  missing: "This page does not exist",
  missingHelp: "The link may be old or misspelled. Were you looking for one of these articles?",
  generated: "This text was written by a language model ({model}).",
  edited: "This text was written by a language model ({model}) and edited by people.",
  assisted: "This text was written with the help of AI.",
  unreviewed: "Nobody has reviewed it.",
  pages: "Pages",
};

export type Words = Readonly<typeof EN>;

const WORDS: Languages<Words> = {
  en: EN,
  de: {
    skip: "Zum Text springen",
    menu: "Menü",
    languages: "Sprachen",
    search: "Suchen",
    email: "Ihre E-Mail-Adresse",
    subscribe: "Abonnieren",
    found: "Artikel mit „{q}“",
    none: "Nichts gefunden.",
    empty: "Hier ist noch nichts erschienen.",
    archive: "Alle Artikel",
    newer: "Neuere",
    older: "Ältere",
    minutes: "{n} Min. Lesezeit",
    updated: "Geändert am {date}",
    contents: "Inhalt",
    feed: "Feed",
    missing: "Diese Seite gibt es nicht",
    missingHelp: "Vielleicht ist sie umgezogen, oder es gab sie nie. War es einer von diesen Artikeln?",
    generated: "Diesen Text hat ein Sprachmodell geschrieben ({model}).",
    edited: "Ein Sprachmodell ({model}) hat diesen Text geschrieben, Menschen haben ihn überarbeitet.",
    assisted: "Dieser Text ist mit Hilfe von KI entstanden.",
    unreviewed: "Niemand hat ihn geprüft.",
    pages: "Seiten",
  },
  fr: {
    skip: "Aller au texte",
    menu: "Menu",
    languages: "Langues",
    search: "Rechercher",
    email: "Votre adresse e-mail",
    subscribe: "S’abonner",
    found: "Articles avec «\u00a0{q}\u00a0»",
    none: "Rien n’a été trouvé.",
    empty: "Rien n’est encore paru ici.",
    archive: "Tous les articles",
    newer: "Plus récents",
    older: "Plus anciens",
    minutes: "{n} min de lecture",
    updated: "Mis à jour le {date}",
    contents: "Sommaire",
    feed: "Flux",
    missing: "Cette page n’existe pas",
    missingHelp: "Elle a peut-être été déplacée. Cherchiez-vous l’un de ces articles\u00a0?",
    generated: "Ce texte a été écrit par un modèle de langage ({model}).",
    edited: "Un modèle de langage ({model}) a écrit ce texte, des personnes l’ont révisé.",
    assisted: "Ce texte a été écrit avec l’aide d’une IA.",
    unreviewed: "Personne ne l’a relu.",
    pages: "Pages",
  },
  es: {
    skip: "Ir al texto",
    menu: "Menú",
    languages: "Idiomas",
    search: "Buscar",
    email: "Tu correo electrónico",
    subscribe: "Suscribirse",
    found: "Artículos con «{q}»",
    none: "No se encontró nada.",
    empty: "Aquí aún no se ha publicado nada.",
    archive: "Todos los artículos",
    newer: "Más recientes",
    older: "Anteriores",
    minutes: "{n} min de lectura",
    updated: "Actualizado el {date}",
    contents: "Contenido",
    feed: "Feed",
    missing: "Esta página no existe",
    missingHelp: "Quizá se movió. ¿Era uno de estos artículos?",
    generated: "Este texto lo escribió un modelo de lenguaje ({model}).",
    edited: "Un modelo de lenguaje ({model}) escribió este texto y personas lo revisaron.",
    assisted: "Este texto se escribió con ayuda de IA.",
    unreviewed: "Nadie lo ha revisado.",
    pages: "Páginas",
  },
  pt: {
    skip: "Ir para o texto",
    menu: "Menu",
    languages: "Idiomas",
    search: "Pesquisar",
    email: "O seu e-mail",
    subscribe: "Inscrever-se",
    found: "Artigos com “{q}”",
    none: "Nada foi encontrado.",
    empty: "Ainda nada foi publicado aqui.",
    archive: "Todos os artigos",
    newer: "Mais recentes",
    older: "Anteriores",
    minutes: "{n} min de leitura",
    updated: "Atualizado em {date}",
    contents: "Conteúdo",
    feed: "Feed",
    missing: "Esta página não existe",
    missingHelp: "Talvez tenha mudado de lugar. Era um destes artigos?",
    generated: "Este texto foi escrito por um modelo de linguagem ({model}).",
    edited: "Um modelo de linguagem ({model}) escreveu este texto e pessoas o reviram.",
    assisted: "Este texto foi escrito com a ajuda de IA.",
    unreviewed: "Ninguém o reviu.",
    pages: "Páginas",
  },
  ja: {
    skip: "本文へ",
    menu: "メニュー",
    languages: "言語",
    search: "検索",
    email: "メールアドレス",
    subscribe: "購読する",
    found: "「{q}」を含む記事",
    none: "見つかりませんでした。",
    empty: "まだ記事はありません。",
    archive: "すべての記事",
    newer: "新しい記事",
    older: "古い記事",
    minutes: "約{n}分",
    updated: "{date}更新",
    contents: "目次",
    feed: "フィード",
    missing: "このページはありません",
    missingHelp: "移動したか、はじめからないページです。こちらの記事ではありませんか。",
    generated: "この文章は言語モデル（{model}）が書きました。",
    edited: "言語モデル（{model}）が書いた文章を人が編集しました。",
    assisted: "この文章はAIの助けを借りて書かれました。",
    unreviewed: "内容を確認した人はいません。",
    pages: "ページ",
  },
  ar: {
    skip: "انتقل إلى النص",
    menu: "القائمة",
    languages: "اللغات",
    search: "بحث",
    email: "بريدك الإلكتروني",
    subscribe: "اشترك",
    found: "مقالات فيها «{q}»",
    none: "لم يُعثر على شيء.",
    empty: "لم يُنشر شيء هنا بعد.",
    archive: "كل المقالات",
    newer: "الأحدث",
    older: "الأقدم",
    minutes: "{n} د قراءة",
    updated: "حُدّث في {date}",
    contents: "المحتويات",
    feed: "خلاصة RSS",
    missing: "هذه الصفحة غير موجودة",
    missingHelp: "ربما نُقلت. هل تبحث عن أحد هذه المقالات؟",
    generated: "كتب هذا النص نموذج لغوي ({model}).",
    edited: "كتب هذا النص نموذج لغوي ({model}) وراجعه أشخاص.",
    assisted: "كُتب هذا النص بمساعدة الذكاء الاصطناعي.",
    unreviewed: "لم يراجعه أحد.",
    pages: "الصفحات",
  },
  he: {
    skip: "דלגו אל הטקסט",
    menu: "תפריט",
    languages: "שפות",
    search: "חיפוש",
    email: "כתובת הדוא״ל שלכם",
    subscribe: "הרשמה",
    found: "מאמרים עם „{q}”",
    none: "לא נמצא דבר.",
    empty: "עדיין לא פורסם כאן דבר.",
    archive: "כל המאמרים",
    newer: "חדשים יותר",
    older: "ישנים יותר",
    minutes: "{n} דק׳ קריאה",
    updated: "עודכן ב־{date}",
    contents: "תוכן",
    feed: "הזנת RSS",
    missing: "הדף הזה אינו קיים",
    missingHelp: "אולי הוא עבר. האם חיפשתם אחד מאלה?",
    generated: "את הטקסט הזה כתב מודל שפה ({model}).",
    edited: "מודל שפה ({model}) כתב את הטקסט הזה, ואנשים ערכו אותו.",
    assisted: "הטקסט הזה נכתב בעזרת בינה מלאכותית.",
    unreviewed: "איש לא בדק אותו.",
    pages: "דפים",
  },
};

/** Returns the texts for a locale. `lang` is their language if it differs from the locale. */
export function getSiteWords(locale: string): { readonly words: Words; readonly lang: string | undefined } {
  const { words, lang } = getWords(WORDS, locale);
  return { words, lang: lang === locale ? undefined : lang };
}

/** Returns a function that formats times in UTC, because all time zones share a page. */
function makeTimeFormatter(way: Intl.DateTimeFormatOptions): (time: string, locale: string) => string {
  // Creating a format takes as long as a hundred dates, and the dates of a page have one locale.
  let last: { readonly locale: string; readonly format: Intl.DateTimeFormat } | undefined;
  return (time, locale) => {
    if (last?.locale !== locale) {
      last = { locale, format: new Intl.DateTimeFormat(locale, { ...way, timeZone: "UTC" }) };
    }
    return last.format.format(new Date(time));
  };
}

/** Returns the reading time in the words and digits of a locale: Arabic digits in Egypt, but not in Morocco. */
export function formatReadingTime(minutes: number, locale: string): string {
  const { words, lang = locale } = getSiteWords(locale);
  return fillPlaces(words.minutes, { n: minutes.toLocaleString(lang) });
}

export const formatDate = makeTimeFormatter({ dateStyle: "long" });

/** Returns the year in the calendar of a locale, such as the Persian one. */
export const formatYear = makeTimeFormatter({ year: "numeric" });

/** Returns the name of a language in that language, or its tag if it has no name. */
export function getLanguageName(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
  } catch {
    // `of` throws for tags with variants or private parts.
    return locale;
  }
}
