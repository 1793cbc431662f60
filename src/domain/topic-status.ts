/** The states of a topic idea: nobody has decided yet, an article was made of it, or somebody dismissed it. */
export const TOPIC_STATUSES = ["new", "used", "dismissed"] as const;

export type TopicStatus = (typeof TOPIC_STATUSES)[number];
