package lint

import (
	"slices"

	"caliper/model"
)

// skillWarnings are the codes of skills that an agent takes.
var skillWarnings = []Code{SkillName, SkillFolder, SkillDescription, SkillYAML, SkillCut}

// skills returns the findings about the faults of skills.
func skills(faults []model.Diagnostic) (out []draft) {
	for _, d := range faults {
		code, severity := Code(d.Code), Warning
		if !slices.Contains(skillWarnings, code) {
			code, severity = SkillUnread, Error
		}
		f := found(code, severity, nil, "%s", d.Error())
		f.At = d
		out = append(out, f)
	}
	return out
}
